/** What never goes into a log line: addresses of people and of pages, and anything as long as a token. */
const ADDRESS = /[^\s"'<>]+@[^\s"'<>]+/g;
const URL_TEXT = /\b[a-z][a-z0-9+.-]*:\/\/[^\s"'<>]+/gi;
const TOKEN = /[A-Za-z0-9_.+/=%-]{20,}/g;

/** What the library says of a target or an origin that it refuses; the rest is the client's own words. */
const REFUSED = /^(Invalid [A-Za-z]+): .*$/s;

/** A library's words, fit for the log. */
export function redact(text: string): string {
  return text
    .replace(REFUSED, "$1")
    .replace(URL_TEXT, "[url]")
    .replace(ADDRESS, "[address]")
    .replace(TOKEN, "[...]");
}
