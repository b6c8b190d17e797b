import { useState } from "react";
import { LONGEST_KEY_NAME } from "../../accounts/key-limits.ts";
import { Button } from "../components/button.tsx";
import { Dialog } from "../components/dialog.tsx";
import { Field } from "../components/field.tsx";
import { ActFailure } from "./act-failure.tsx";
import { Form } from "./form.tsx";
import type { FreshKeyFacts } from "./fresh-key.tsx";
import { nameOfKey, type NewKey } from "./own-account.ts";
import { codeOf, useAct } from "./use-act.ts";

/** Asks what a key is for, and makes it. */
export function NewKeyDialog({
  isOpen,
  onClose,
  onMade,
}: {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly onMade: (facts: FreshKeyFacts) => void;
}) {
  return (
    <Dialog title="New key" isOpen={isOpen} onClose={onClose}>
      <NewKeyForm onClose={onClose} onMade={onMade} />
    </Dialog>
  );
}

function NewKeyForm({
  onClose,
  onMade,
}: {
  readonly onClose: () => void;
  readonly onMade: (facts: FreshKeyFacts) => void;
}) {
  const [name, setName] = useState("");
  const { failure, forget, isBusy, run } = useAct();
  const isNameRefused = codeOf(failure) === "invalid_body";

  async function make(): Promise<void> {
    const body = { name: name.trim() };
    const answer = await run<NewKey>("/account/keys", { body });
    if (answer === null) return;
    const { data } = answer;
    onMade({ secret: data.secret, name: nameOfKey(data), replaces: null });
  }

  return (
    <Form onSubmit={() => void make()}>
      <Field
        label="Name"
        hint="What it is for, such as “intake forms”. You can leave it empty."
        autoComplete="off"
        maxLength={LONGEST_KEY_NAME}
        value={name}
        onChange={(event) => setName(event.target.value)}
        problem={
          isNameRefused
            ? `A name is one line of up to ${LONGEST_KEY_NAME} characters.`
            : null
        }
      />
      {!isNameRefused && (
        <ActFailure
          failure={failure}
          onForget={forget}
          onRetry={() => void make()}
        />
      )}
      <div className="dialog-buttons">
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" look="primary" isBusy={isBusy}>
          Create key
        </Button>
      </div>
    </Form>
  );
}
