import { publicPath } from "../public-path.ts";

/** The response, unchanged. */
export type SentOutcome =
  | {
      readonly kind: "answered";
      readonly status: number;
      readonly milliseconds: number;
      /** Only the headers that clients use. */
      readonly headers: readonly (readonly [name: string, value: string])[];
      /** Indented if it is JSON. */
      readonly body: string;
      /** True if the response is longer than what is shown. */
      readonly isCut: boolean;
    }
  | { readonly kind: "offline" };

/** More of a response isn't loaded: an export can have gigabytes. */
const MAX_BODY_BYTES = 262_144;

const SHOWN_HEADERS = [
  "content-type",
  "snapshot",
  "ratelimit-policy",
  "ratelimit",
  "x-ratelimit-limit",
  "x-ratelimit-remaining",
  "x-ratelimit-reset",
  "retry-after",
  "etag",
  "last-modified",
  "link",
  "x-request-id",
];

/** Sends a request as an API client would: with the key, without cookies or the browser's cache. */
export async function send(
  address: string,
  key: string | null,
  type: string,
): Promise<SentOutcome> {
  const began = performance.now();
  try {
    const response = await fetch(publicPath(address), {
      cache: "no-store",
      credentials: "omit",
      headers: {
        accept: type,
        ...(key === null ? {} : { authorization: `Bearer ${key}` }),
      },
    });
    const { isCut, text } = await startOf(response);
    return {
      kind: "answered",
      status: response.status,
      milliseconds: Math.round(performance.now() - began),
      headers: SHOWN_HEADERS.flatMap((name) => {
        const value = response.headers.get(name);
        return value === null ? [] : [[name, value] as const];
      }),
      body: indented(text),
      isCut,
    };
  } catch {
    return { kind: "offline" };
  }
}

/** Reads the first bytes of a response, up to the last whole line if there are more. */
async function startOf({
  body,
}: Response): Promise<{ readonly text: string; readonly isCut: boolean }> {
  if (body === null) return { text: "", isCut: false };
  const reader = body.getReader();
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let bytes = 0;
  while (bytes <= MAX_BODY_BYTES) {
    const { value } = await reader.read();
    if (value === undefined) break;
    chunks.push(value);
    bytes += value.length;
  }
  await reader.cancel();
  const isCut = bytes > MAX_BODY_BYTES;
  const text = await new Blob(chunks).slice(0, MAX_BODY_BYTES).text();
  return { isCut, text: isCut ? text.replace(/\n[^\n]*$/, "") : text };
}

function indented(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}
