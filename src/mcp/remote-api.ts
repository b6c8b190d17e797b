import type { Api } from "./api.ts";

/** The longest wait for a response, in milliseconds. */
const TIMEOUT_MS = 60_000;
const UNREACHABLE = 503;

/** Makes the API of a service over HTTP. Its key is sent to no other host. */
export function remoteApi(base: string, key: string | null): Api {
  const headers: Record<string, string> =
    key === null ? {} : { authorization: `Bearer ${key}` };
  return {
    base,
    async get(target) {
      try {
        const response = await fetch(base + target, {
          headers,
          redirect: "error",
          signal: AbortSignal.timeout(TIMEOUT_MS),
        });
        const snapshot = response.headers.get("snapshot");
        return {
          status: response.status,
          snapshot,
          text: await response.text(),
        };
      } catch (error) {
        const message = `${base} can't be reached: ${reasonOf(error)}.`;
        const text = JSON.stringify({
          error: { code: "unreachable", message },
        });
        return { status: UNREACHABLE, snapshot: null, text };
      }
    },
  };
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return "unknown reason";
  const { cause, message } = error;
  return cause instanceof Error ? cause.message : message;
}
