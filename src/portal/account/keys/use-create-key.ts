import { useRef, useState } from "react";
import type { ApiSuccess } from "../../api/api.ts";
import type { NewKey, OwnKey } from "../../../contract/account.ts";
import {
  isUncertain,
  useMutation,
  type Mutation,
} from "../../api/use-mutation.ts";

/** Makes a key, at once or in the place of another. */
export interface KeyCreation extends Pick<
  Mutation,
  "failure" | "clearFailure" | "isBusy"
> {
  /** Whether it may have been made, though no answer came. */
  readonly mayExist: boolean;
  /** The key that was made and whose answer was lost: nobody has seen it. */
  readonly lost: OwnKey | null;
  readonly create: <M>(
    path: string,
    body: object,
  ) => Promise<ApiSuccess<NewKey, M> | null>;
}

/**
 * No key is made twice unnoticed: after an answer that did not come it is looked first whether there is a key that is not
 * among the `existingKeys`; null where they have to be asked for.
 */
export function useCreateKey(
  existingKeys: readonly OwnKey[] | null,
): KeyCreation {
  const { attempt, failure, clearFailure, isBusy, run } = useMutation();
  const before = useRef(existingKeys);
  const [mayExist, setMayExist] = useState(false);
  const [lost, setLost] = useState<OwnKey | null>(null);

  async function create<M>(
    path: string,
    body: object,
  ): Promise<ApiSuccess<NewKey, M> | null> {
    if (lost !== null) return null;
    if (mayExist || before.current === null) {
      const found = await run<OwnKey[]>("/account/keys", { method: "GET" });
      if (found === null) return null;
      setMayExist(false);
      const seen = new Set((before.current ??= found.data).map(({ id }) => id));
      const unseen = found.data.find(
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
