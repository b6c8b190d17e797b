/** `12,345`. */
export function quantity(value: number): string {
  return value.toLocaleString("en-US");
}

/** `1 provider`, `12,345 providers`. */
export function providers(count: number): string {
  return `${quantity(count)} ${count === 1 ? "provider" : "providers"}`;
}

/** A day as the registry has it, `2012-03-05`, in words: `March 5, 2012`. */
export function dayInWords(day: string): string {
  const date = new Date(`${day}T00:00:00Z`);
  return Number.isNaN(date.getTime())
    ? day
    : date.toLocaleDateString("en-US", { dateStyle: "long", timeZone: "UTC" });
}
