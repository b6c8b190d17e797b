import { useState } from "react";
import {
  isOverlap,
  type Overlap,
  MAX_KEY_NAME_LENGTH,
} from "../../../contract/credentials.ts";
import { Dialog, DialogButtons } from "../../components/dialog.tsx";
import { Select, Field } from "../../components/field.tsx";
import type { CreatedKey } from "./new-key-panel.tsx";
import { CreateKeyForm, useCreateKey } from "./create-key.tsx";
import { keyName } from "../../format.ts";
import type { KeyInfo } from "../../../contract/account.ts";
import { Form, showFirstProblem } from "../form.tsx";
import { codeOf, useMutation } from "../../api/use-mutation.ts";
import { Button } from "../../components/button.tsx";
import { MutationError } from "../mutation-error.tsx";

const OVERLAP_TEXTS: Readonly<Record<Overlap, string>> = {
  "0": "Immediately",
  "1h": "In an hour",
  "24h": "In 24 hours",
  "7d": "In 7 days",
};

const CHOICES = Object.entries(OVERLAP_TEXTS).map(([value, text]) => ({
  value,
  text,
}));

/** Replaces a key, which can keep working for a while. */
export function RotateDialog({
  isFull,
  existingKeys,
  old,
  onClose,
  onCreated,
}: {
  readonly old: KeyInfo;
  /** The account's keys. */
  readonly existingKeys: readonly KeyInfo[];
  /** True if there is no room for both keys: then the old one has to expire immediately. */
  readonly isFull: boolean;
  readonly onClose: () => void;
  readonly onCreated: (key: CreatedKey) => void;
}) {
  const [overlap, setOverlap] = useState<Overlap>(isFull ? "0" : "24h");
  const creation = useCreateKey(existingKeys);

  async function rotate(): Promise<void> {
    const answer = await creation.create<{ readonly replaces: KeyInfo }>(
      `/account/keys/${old.id}/rotate`,
      { overlap },
    );
    if (answer === null) return;
    const { data, meta } = answer;
    onCreated({
      secret: data.secret,
      name: keyName(data),
      replaces: meta.replaces,
    });
  }

  return (
    <Dialog isOpen title={`Rotate ${keyName(old)}`} onClose={onClose}>
      <p>
        You get a new key with the same name. Both keys work until the old one
        expires, so you have time to switch.
      </p>
      <CreateKeyForm
        creation={creation}
        submitText="Rotate key"
        onSubmit={() => void rotate()}
        onClose={onClose}
      >
        <Select
          label="Old key expires"
          value={overlap}
          options={
            isFull ? CHOICES.filter(({ value }) => value === "0") : CHOICES
          }
          onChange={({ target }) => {
            if (isOverlap(target.value)) setOverlap(target.value);
          }}
          {...(isFull
            ? {
                hint: "You have ten active keys, so the old and the new key can’t both work.",
              }
            : {})}
        />
      </CreateKeyForm>
    </Dialog>
  );
}

const DAY_MS = 86_400_000;

/** Lifetimes in days; empty for no expiry. */
const ENDS = [
  { value: "", text: "Never" },
  { value: "30", text: "In 30 days" },
  { value: "90", text: "In 90 days" },
  { value: "365", text: "In 365 days" },
] as const;

const NAME_PROBLEM = `Use one line of at most ${MAX_KEY_NAME_LENGTH} visible characters.`;

/** Creates a key with a name and a lifetime. */
export function NewKeyDialog({
  existingKeys,
  onClose,
  onCreated,
}: {
  /** The account's keys. */
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
    <Dialog isOpen title="New key" onClose={onClose}>
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
          problem={isNameRefused ? NAME_PROBLEM : null}
        />
        <Select
          label="Expires"
          value={days}
          options={ENDS}
          onChange={({ target }) => setDays(target.value)}
          hint="If you rotate the key, the new one gets the same lifetime."
        />
      </CreateKeyForm>
    </Dialog>
  );
}

/** Gives a key another name. */
export function RenameDialog({
  apiKey,
  onClose,
  onRenamed,
}: {
  readonly apiKey: KeyInfo;
  readonly onClose: () => void;
  readonly onRenamed: () => void;
}) {
  const [name, setName] = useState(apiKey.name);
  const mutation = useMutation();
  const isNameRefused = codeOf(mutation.failure) === "invalid_body";

  async function rename(): Promise<void> {
    const path = `/account/keys/${apiKey.id}/rename`;
    const answer = await mutation.run(path, { body: { name: name.trim() } });
    if (answer === null) showFirstProblem();
    else onRenamed();
  }

  return (
    <Dialog isOpen title={`Rename ${keyName(apiKey)}`} onClose={onClose}>
      <Form onSubmit={() => void rename()}>
        <Field
          label="Name"
          autoComplete="off"
          maxLength={MAX_KEY_NAME_LENGTH}
          value={name}
          onChange={(event) => setName(event.target.value)}
          problem={isNameRefused ? NAME_PROBLEM : null}
        />
        {!isNameRefused && (
          <MutationError of={mutation} onRetry={() => void rename()} />
        )}
        <DialogButtons>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" isBusy={mutation.isBusy}>
            Save name
          </Button>
        </DialogButtons>
      </Form>
    </Dialog>
  );
}

/** The key was already revoked: elsewhere, or by a try whose response was lost. */
const ENDED: ReadonlySet<string | null> = new Set([
  "key_ended",
  "key_not_found",
]);

/** Revokes a key after the user confirms it. */
export function RevokeDialog({
  apiKey,
  onClose,
  onRevoked,
}: {
  readonly apiKey: KeyInfo;
  readonly onClose: () => void;
  readonly onRevoked: () => void;
}) {
  const mutation = useMutation();

  async function revoke(): Promise<void> {
    const path = `/account/keys/${apiKey.id}`;
    const outcome = await mutation.attempt(path, { method: "DELETE" });
    if (outcome?.ok === true) onRevoked();
    if (outcome?.ok === false && ENDED.has(codeOf(outcome.failure)))
      onRevoked();
  }

  return (
    <Dialog isOpen title={`Revoke ${keyName(apiKey)}?`} onClose={onClose}>
      <p>
        <code>
          {apiKey.prefix}…{apiKey.last_four}
        </code>{" "}
        stops working within two seconds. This can’t be undone.
      </p>
      <MutationError of={mutation} onRetry={() => void revoke()} />
      <DialogButtons>
        <Button onClick={onClose}>Cancel</Button>
        <Button
          look="danger"
          isBusy={mutation.isBusy}
          onClick={() => void revoke()}
        >
          Revoke key
        </Button>
      </DialogButtons>
    </Dialog>
  );
}
