import type { OwnKey } from "../../contract/account.ts";

/** What a key is called on a page. */
export function nameOfKey({ name, prefix }: OwnKey): string {
  return name === "" ? `${prefix}…` : name;
}

const SOON_MS = 7 * 86_400_000;

/** Whether a key ends within a week. */
export function endsSoon({ expires_at: end }: OwnKey): boolean {
  return end !== null && Date.parse(end) - Date.now() <= SOON_MS;
}

/** `Free` */
export function titleOfPlan(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}
