/**
 * A server on this machine in the place of github.com and api.github.com, whose addresses the library has fixed: while
 * it runs, this process's requests to them go to it over real connections, and all others go where they always do.
 */

import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import {
  createServer,
  type IncomingMessage,
  type ServerResponse,
} from "node:http";
import { text } from "node:stream/consumers";

export const GITHUB_APP = {
  clientId: "client-of-tests",
  clientSecret: "secret-of-tests",
};

const HOSTS: ReadonlySet<string> = new Set(["github.com", "api.github.com"]);

/** A user with an account at GitHub. */
export interface GithubPerson {
  readonly id: number;
  readonly login: string;
  readonly name: string | null;
  /** The public address, null for most. */
  readonly email: string | null;
  readonly emails: readonly {
    readonly email: string;
    readonly primary: boolean;
    readonly verified: boolean;
  }[];
}

/** What a page of GitHub agreed to. */
interface Grant {
  readonly person: GithubPerson;
  readonly redirectUri: string;
  readonly challenge: string | null;
}

export interface GithubServer extends AsyncDisposable {
  /** Codes by which tokens were handed out, and the tokens. */
  readonly tokens: readonly string[];
  /** True if it refuses to give tokens. */
  refuses: boolean;
  /** Where a browser is redirected once the user agrees. */
  agree(pageUrl: string, person: GithubPerson): string;
}

/** Starts it; it ends with the disposal, and requests to GitHub go to GitHub again. */
export async function startGithubServer(): Promise<GithubServer> {
  const grants = new Map<string, Grant>();
  const people = new Map<string, GithubPerson>();
  const server = createServer((request, response) => {
    void answer(request, response);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string")
    throw new Error("The server in GitHub's place has no port.");
  const { port } = address;
  const fetchElsewhere = globalThis.fetch;
  globalThis.fetch = async (input, init) => {
    const asked = new Request(input, init);
    const url = new URL(asked.url);
    if (!HOSTS.has(url.hostname)) return fetchElsewhere(asked);
    const here = `http://127.0.0.1:${port}${url.pathname}${url.search}`;
    return fetchElsewhere(new Request(here, asked));
  };

  const github: GithubServer = {
    get tokens() {
      return [...people.keys()];
    },
    refuses: false,
    agree(pageUrl, person) {
      const page = new URL(pageUrl);
      const asked = page.searchParams;
      if (
        page.href.split("?")[0] !== "https://github.com/login/oauth/authorize"
      )
        throw new Error(`This is no page of GitHub: ${page.href}`);
      if (asked.get("client_id") !== GITHUB_APP.clientId)
        throw new Error("GitHub does not know this app.");
      const code = randomBytes(10).toString("hex");
      const redirectUri = asked.get("redirect_uri") ?? "";
      const challenge = asked.get("code_challenge");
      grants.set(code, { person, redirectUri, challenge });
      const back = new URL(redirectUri);
      back.searchParams.set("code", code);
      back.searchParams.set("state", asked.get("state") ?? "");
      return back.href;
    },
    async [Symbol.asyncDispose]() {
      globalThis.fetch = fetchElsewhere;
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
  return github;

  async function answer(
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const { body, status } =
      request.url === "/login/oauth/access_token"
        ? giveToken(new URLSearchParams(await text(request)))
        : show(request);
    response.writeHead(status, { "content-type": "application/json" });
    response.end(JSON.stringify(body));
  }

  function show(request: IncomingMessage): { status: number; body: unknown } {
    const { url } = request;
    const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? "");
    const person = people.get(token?.[1] ?? "");
    if (person === undefined)
      return { status: 401, body: { message: "Bad credentials" } };
    const { emails, ...profile } = person;
    if (url === "/user") return { status: 200, body: profile };
    if (url === "/user/emails") return { status: 200, body: emails };
    return { status: 404, body: { message: "Not Found" } };
  }

  /** GitHub answers failures with 200 here, and takes a code once. */
  function giveToken(form: URLSearchParams) {
    const code = form.get("code") ?? "";
    const grant = grants.get(code);
    grants.delete(code);
    if (
      grant === undefined ||
      github.refuses ||
      form.get("client_id") !== GITHUB_APP.clientId ||
      form.get("client_secret") !== GITHUB_APP.clientSecret ||
      form.get("redirect_uri") !== grant.redirectUri ||
      (grant.challenge !== null &&
        challengeOf(form.get("code_verifier") ?? "") !== grant.challenge)
    )
      return { status: 200, body: { error: "bad_verification_code" } };
    const token = `gho_${randomBytes(18).toString("hex")}`;
    people.set(token, grant.person);
    return {
      status: 200,
      body: {
        access_token: token,
        token_type: "bearer",
        scope: "read:user,user:email",
      },
    };
  }
}

function challengeOf(verifier: string): string {
  return createHash("sha256").update(verifier).digest("base64url");
}
