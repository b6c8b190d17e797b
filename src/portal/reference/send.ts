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
    }
  | { readonly kind: "offline" };

const SHOWN_HEADERS = [
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
): Promise<SentOutcome> {
  const began = performance.now();
  try {
    const response = await fetch(address, {
      cache: "no-store",
      credentials: "omit",
      headers: {
        accept: "application/json",
        ...(key === null ? {} : { authorization: `Bearer ${key}` }),
      },
    });
    const body = await response.text();
    return {
      kind: "answered",
      status: response.status,
      milliseconds: Math.round(performance.now() - began),
      headers: SHOWN_HEADERS.flatMap((name) => {
        const value = response.headers.get(name);
        return value === null ? [] : [[name, value] as const];
      }),
      body: indented(body),
    };
  } catch {
    return { kind: "offline" };
  }
}

function indented(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}
