import type { Accounts } from "../../../accounts/accounts.ts";
import { shownKey, type KeyRecord } from "../../../accounts/keys/keys.ts";
import { fail, type Context, type ExitCode } from "../../command.ts";

/**
 * Waits until a new key is printed, because it is shown only once. Withdraws it if it cannot be printed; `replaced` is
 * the key that it replaces, in its old state.
 */
export async function deliverKey(
  accounts: Accounts,
  made: KeyRecord,
  replaced: KeyRecord | null,
  context: Context,
): Promise<ExitCode> {
  const problem = await context.delivered();
  if (problem === null) return 0;
  try {
    await accounts.keys.takeBack(made.id, replaced);
  } catch (error) {
    context.err(
      `The new key ${shownKey(made)} could not be printed, and could not be withdrawn either. Revoke it with keys revoke ${shownKey(made)}.`,
    );
    throw error;
  }
  const after = replaced === null ? "" : `; ${shownKey(replaced)} is unchanged`;
  return fail(context, `${problem.message} The new key was withdrawn${after}.`);
}
