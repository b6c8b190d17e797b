const TIME = new Intl.DateTimeFormat("en-US", {
  dateStyle: "medium",
  timeStyle: "short",
});
const UTC_DAY = new Intl.DateTimeFormat("en-US", {
  dateStyle: "long",
  timeZone: "UTC",
});

/** A time in the user's time zone. */
export function DateText({ at }: { readonly at: string }) {
  return <time dateTime={at}>{TIME.format(new Date(at))}</time>;
}

/** The UTC day of a time. Months and quotas are in UTC. */
export function UtcDay({ at }: { readonly at: string }) {
  return <time dateTime={at}>{UTC_DAY.format(new Date(at))}</time>;
}
