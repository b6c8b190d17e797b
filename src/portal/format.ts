/** The format of values on pages. */
import type { ProviderCounts } from "../contract/answers.ts";
import type { FullName } from "../contract/details.ts";
import type { KeyInfo } from "../contract/account.ts";
import { personName } from "../site/provider-name.ts";

export { placeText, providerName } from "../site/provider-name.ts";

/** Formats a number as `12,345`. */
export function formatCount(value: number): string {
  return value.toLocaleString("en-US");
}

/** Writes millions as `9.8 million`, and fewer as `12,345`. */
export function inWords(count: number): string {
  const millions = Math.floor(count / 100_000) / 10;
  return millions < 1 ? formatCount(count) : `${millions} million`;
}

/** Writes `1 provider`, `12,345 providers`. */
export function providerCount(count: number): string {
  return counted(count, "provider");
}

/** Writes `Active: 1 individual, 12,345 organizations`. */
export function activeCounts({
  individuals,
  organizations,
}: ProviderCounts): string {
  const counts = [
    ...(individuals > 0 ? [counted(individuals, "individual")] : []),
    ...(organizations > 0 ? [counted(organizations, "organization")] : []),
  ];
  return `Active: ${counts.length === 0 ? "none" : counts.join(", ")}`;
}

/** Writes `1 row`, `12,345 rows`. */
export function counted(count: number, what: string): string {
  return `${formatCount(count)} ${count === 1 ? what : `${what}s`}`;
}

/** Formats `2012-03-05` as `March 5, 2012`. */
export function formatDay(day: string): string {
  const date = new Date(`${day}T00:00:00Z`);
  return Number.isNaN(date.getTime())
    ? day
    : date.toLocaleDateString("en-US", { dateStyle: "long", timeZone: "UTC" });
}

/** Writes a person's name with prefix and suffix, and the credential as it is given. */
export function fullName({
  credential,
  first,
  last,
  middle,
  prefix,
  suffix,
}: FullName): string {
  const name = personName([prefix, first, middle, last, suffix]);
  return [name, credential].filter(Boolean).join(", ");
}

/** Returns a key's name, or the start of the key if it has none. */
export function keyName({ name, prefix }: KeyInfo): string {
  return name === "" ? `${prefix}…` : name;
}

/** Writes `free` as `Free`. */
export function planTitle(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}
