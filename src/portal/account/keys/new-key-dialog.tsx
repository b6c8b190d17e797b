import { useState } from "react";
import { MAX_KEY_NAME_LENGTH } from "../../../contract/credentials.ts";
import { Dialog } from "../../components/dialog.tsx";
import { Field, Select } from "../../components/field.tsx";
import { showFirstProblem } from "../form.tsx";
import type { CreatedKey } from "./new-key-panel.tsx";
import { CreateKeyForm } from "./create-key-form.tsx";
import { keyName } from "../../format.ts";
import type { KeyInfo } from "../../../contract/account.ts";
import { codeOf } from "../../api/use-mutation.ts";
import { useCreateKey } from "./use-create-key.ts";

const DAY_MS = 86_400_000;

/** Lifetimes in days; empty for no expiry. */
const ENDS = [
  { value: "", text: "never" },
  { value: "30", text: "in 30 days" },
  { value: "90", text: "in 90 days" },
  { value: "365", text: "in 365 days" },
] as const;

/** Creates a key with a name and a lifetime. */
export function NewKeyDialog({
  isOpen,
  existingKeys,
  onClose,
  onCreated,
}: {
  readonly isOpen: boolean;
  /** The account's keys. */
  readonly existingKeys: readonly KeyInfo[];
  readonly onClose: () => void;
  readonly onCreated: (key: CreatedKey) => void;
}) {
  return (
    <Dialog title="New key" isOpen={isOpen} onClose={onClose}>
      <NewKeyForm
        existingKeys={existingKeys}
        onClose={onClose}
        onCreated={onCreated}
      />
    </Dialog>
  );
}

function NewKeyForm({
  existingKeys,
  onClose,
  onCreated,
}: {
  readonly existingKeys: readonly KeyInfo[];
  readonly onClose: () => void;
  readonly onCreated: (key: CreatedKey) => void;
}) {
  const [name, setName] = useState("");
  const [days, setDays] = useState("");
  const creation = useCreateKey(existingKeys);
  const isNameRefused = codeOf(creation.failure) === "invalid_body";

  async function create(): Promise<void> {
    const end = new Date(Date.now() + Number(days) * DAY_MS);
    const answer = await creation.create("/account/keys", {
      name: name.trim(),
      ...(days === "" ? {} : { expires_at: end.toISOString() }),
    });
    if (answer === null) {
      showFirstProblem();
      return;
    }
    const { data } = answer;
    onCreated({ secret: data.secret, name: keyName(data), replaces: null });
  }

  return (
    <CreateKeyForm
      creation={creation}
      isRefusalShown={isNameRefused}
      submitText="Create key"
      onSubmit={() => void create()}
      onClose={onClose}
    >
      <Field
        label="Name"
        hint="What the key is for, such as “intake forms”. Optional."
        autoComplete="off"
        maxLength={MAX_KEY_NAME_LENGTH}
        value={name}
        onChange={(event) => setName(event.target.value)}
        problem={
          isNameRefused
            ? `Use one line of at most ${MAX_KEY_NAME_LENGTH} visible characters.`
            : null
        }
      />
      <Select
        label="Expires"
        value={days}
        options={ENDS}
        onChange={({ target }) => setDays(target.value)}
        hint="If you rotate the key, the new one gets the same lifetime."
      />
    </CreateKeyForm>
  );
}
