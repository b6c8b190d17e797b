/** The life of a signed-in user, as a sequence: each program has its own session. */
import type { Request, Response } from "./exchange.ts";

interface Sessions {
  old: string;
  new: string;
}

/** A step of the sequence, sent to each program with its session. */
interface Step {
  readonly name: string;
  readonly target: string;
  readonly session: Sessions;
  /** The request with a session's cookie. */
  with(cookie: string): Request;
  /** Takes the session from both responses, if this step starts one. */
  read(before: Response, after: Response): void;
}

const ORIGIN = "http://directory.example";

/** Signs in, reads and changes the account, fails in several ways, and signs out. */
export function* accountRequests(user: {
  readonly email: string;
  readonly password: string;
}): Generator<Step> {
  const session: Sessions = { old: "", new: "" };
  const step = (
    method: string,
    target: string,
    body?: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Step => ({
    name: `account: ${method} ${target}`,
    target,
    session,
    with: (cookie) => ({
      name: target,
      method,
      target,
      headers: {
        origin: ORIGIN,
        cookie,
        "x-request-id": "account",
        ...headers,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }),
    read(before, after) {
      session.old = cookieOf(before) ?? session.old;
      session.new = cookieOf(after) ?? session.new;
    },
  });
  yield step("POST", "/auth/sign-in/email", { ...user, password: "wrong" });
  yield step("POST", "/auth/sign-in/email", { email: "x" });
  yield step("POST", "/auth/sign-in/email", user);
  for (const path of ["", "/keys", "/usage", "/log", "/sessions", "/nothing"]) {
    yield step("GET", `/account${path}`);
    yield step("POST", `/account${path}`, {});
    if (path !== "") yield step("DELETE", `/account${path}`);
  }
  for (const path of ["search", "search.csv", "nearby.ndjson"])
    for (const headers of [{}, { "x-requested-with": "script" }])
      yield step("GET", `/explore/${path}?zip=60601`, undefined, headers);
  yield step("GET", "/account/usage?from=2026-01-01&to=nonsense");
  yield step("GET", "/account/log?limit=0");
  yield step("POST", "/account/keys", {
    name: "compared",
    expires_in_days: 30,
  });
  yield step("POST", "/account/keys", { name: "x".repeat(1_000) });
  yield step("GET", "/account/keys");
  for (const id of ["1", "2", "3", "999", "x"]) {
    yield step("POST", `/account/keys/${id}/rotate`, { overlap: "1h" });
    yield step("POST", `/account/keys/${id}/rotate`, { overlap: "nonsense" });
    yield step("DELETE", `/account/keys/${id}`);
  }
  yield step("GET", "/account/keys");
  yield step("GET", "/account/log");
  yield step("GET", "/auth/get-session");
  yield step("DELETE", "/account", { password: "wrong" });
  yield step("POST", "/auth/sign-out", {});
  yield step("GET", "/account");
}

function cookieOf({ headers }: Response): string | undefined {
  const cookies = headers
    .filter((line) => line.startsWith("set-cookie: "))
    .map((line) => line.slice("set-cookie: ".length).split(";")[0] ?? "");
  return cookies.length === 0 ? undefined : cookies.join("; ");
}
