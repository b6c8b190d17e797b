import { useRef, useState } from "react";
import type { ApiSuccess } from "../../api/api.ts";
import type { NewKey, KeyInfo } from "../../../contract/account.ts";
import {
  isUncertain,
  useMutation,
  type Mutation,
} from "../../api/use-mutation.ts";

/** Creates a key, new or by rotation. */
export interface KeyCreation extends Pick<
  Mutation,
  "failure" | "clearFailure" | "isBusy"
> {
  /** True if the key may have been created although the response was lost. */
  readonly mayExist: boolean;
  /** The key that was created but whose response was lost, so no one has seen its secret. */
  readonly lost: KeyInfo | null;
  readonly create: <M>(
    path: string,
    body: object,
  ) => Promise<ApiSuccess<NewKey, M> | null>;
}

/**
 * Never creates a second key by accident: if a response was lost, the next try first looks for a key that isn't among
 * `existingKeys`. Null loads them before the first try.
 */
export function useCreateKey(
  existingKeys: readonly KeyInfo[] | null,
): KeyCreation {
  const { attempt, failure, clearFailure, isBusy, run } = useMutation();
  const before = useRef(existingKeys);
  const [mayExist, setMayExist] = useState(false);
  const [lost, setLost] = useState<KeyInfo | null>(null);

  async function create<M>(
    path: string,
    body: object,
  ): Promise<ApiSuccess<NewKey, M> | null> {
    if (lost !== null) return null;
    if (mayExist || before.current === null) {
      const listed = await run<KeyInfo[]>("/account/keys", { method: "GET" });
      if (listed === null) return null;
      setMayExist(false);
      const seen = new Set(
        (before.current ??= listed.data).map(({ id }) => id),
      );
      const unseen = listed.data.find(
        ({ id, state }) => state === "active" && !seen.has(id),
      );
      if (unseen !== undefined) {
        setLost(unseen);
        return null;
      }
    }
    const outcome = await attempt<NewKey, M>(path, { body });
    if (outcome?.ok === true) {
      before.current = null;
      return outcome.answer;
    }
    if (outcome?.ok === false && isUncertain(outcome.failure))
      setMayExist(true);
    return null;
  }

  return { failure, clearFailure, isBusy, mayExist, lost, create };
}
