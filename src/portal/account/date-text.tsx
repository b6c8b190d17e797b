const TIME = new Intl.DateTimeFormat("en-US", {
  dateStyle: "medium",
  timeStyle: "short",
});
const UTC_DAY = new Intl.DateTimeFormat("en-US", {
  dateStyle: "long",
  timeZone: "UTC",
});

/** A moment, in the reader's own time. */
export function DateText({ at }: { readonly at: string }) {
  return <time dateTime={at}>{TIME.format(new Date(at))}</time>;
}

/** The day of a moment, in UTC, as months and quotas are counted. */
export function UtcDay({ at }: { readonly at: string }) {
  return <time dateTime={at}>{UTC_DAY.format(new Date(at))}</time>;
}
