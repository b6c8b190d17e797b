import type { Account } from "./account-store.ts";
import type { Subscription } from "../billing-records/subscription-store.ts";

type InvalidEmail = { readonly outcome: "invalid_email" };
export type UnknownPlan = {
  readonly outcome: "unknown_plan";
  readonly known: readonly string[];
};
type NoAccount = { readonly outcome: "no_account" };

export type CreateAccountOutcome =
  | { readonly outcome: "created"; readonly account: Account }
  /** The address has an account, whose plan is left as it is. */
  | { readonly outcome: "exists"; readonly account: Account }
  | InvalidEmail
  | UnknownPlan;

export type ChangeAccountOutcome =
  | { readonly outcome: "changed"; readonly account: Account }
  | NoAccount
  | UnknownPlan;

export type ChangeSuspensionOutcome =
  | ChangeAccountOutcome
  /** The account was deleted: it is about the next one of the address. */
  | {
      readonly outcome: "changed_deleted";
      readonly email: string;
      readonly suspendedAt: number | null;
    };

export type SetPlanOutcome =
  | ChangeAccountOutcome
  /** A running subscription gives the account its plan. */
  | { readonly outcome: "subscribed"; readonly subscription: Subscription };

export type DeleteAccountOutcome =
  { readonly outcome: "deleted"; readonly account: Account } | NoAccount;
