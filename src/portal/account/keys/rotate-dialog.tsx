import { useState } from "react";
import { isOverlap, type Overlap } from "../../../contract/credentials.ts";
import { Dialog } from "../../components/dialog.tsx";
import { Select } from "../../components/field.tsx";
import type { CreatedKey } from "./new-key-panel.tsx";
import { CreateKeyForm } from "./create-key-form.tsx";
import { keyName } from "../../format.ts";
import type { KeyInfo } from "../../../contract/account.ts";
import { useCreateKey } from "./use-create-key.ts";

const OVERLAP_TEXTS: Readonly<Record<Overlap, string>> = {
  "0": "immediately",
  "1h": "in an hour",
  "24h": "in 24 hours",
  "7d": "in 7 days",
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
