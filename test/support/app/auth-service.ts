/** The real app with sign-up over real accounts, with mail to a server of the test, and browsers that hold cookies. */

import { randomBytes, scryptSync } from "node:crypto";
import type { Response as LightMyRequestResponse } from "light-my-request";
import type { BaseLogger } from "pino";
import type {
  LazyAuth,
  PortalDependencies,
} from "../../../src/http/app-context.ts";
import type { AnswerLog } from "../../../src/http/pipeline/request-log.ts";
import type { PasswordHashing } from "../../../src/auth/library/auth-parts.ts";
import { openAuth } from "../../../src/auth/open-auth.ts";
import type { AuthService } from "../../../src/auth/auth.ts";
import { install as installSqlite } from "./accounts-installation.ts";
import { startHttpService, type HttpService } from "./http-service.ts";
import {
  startMailServer,
  tokenOf,
  type MailServer,
} from "./servers/mail-server.ts";

export const SITE = "https://directory.example";
/** What mails call the service. */
export const SERVICE_NAME = "Directory of <A & B>";
export const PASSWORD = "correct horse battery";

export interface AuthTestService extends AsyncDisposable {
  readonly http: HttpService;
  readonly mail: MailServer;
  /** What went wrong, as it would be logged. */
  readonly faults: readonly string[];
  /** What the app asks people by. */
  auth(): Promise<AuthService>;
  /** A new user, with a separate network address and no cookies. */
  browser(): Browser;
  /** A user who has signed up, confirmed the address and signed in. */
  signedIn(email: string): Promise<Browser>;
}

export interface AuthTestOptions {
  readonly install?: typeof installSqlite;
  readonly logger?: BaseLogger;
  readonly answerLog?: AnswerLog;
  readonly site?: string;
  readonly portal?: PortalDependencies;
  readonly github?: { clientId: string; clientSecret: string };
  /** Hashes and waits as production does; else both take no time. */
  readonly realTimes?: boolean;
}

/** Real hashes that cost next to nothing: the library's own take a tenth of a second each. */
export const CHEAP_HASHING: PasswordHashing = {
  hash: (password) => {
    const salt = randomBytes(16).toString("hex");
    return Promise.resolve(`${salt}:${cheapScrypt(password, salt)}`);
  },
  verify({ hash, password }) {
    const [salt = "", key] = hash.split(":");
    return Promise.resolve(cheapScrypt(password, salt) === key);
  },
};

function cheapScrypt(password: string, salt: string): string {
  return scryptSync(password, salt, 32, { N: 2, r: 1 }).toString("hex");
}

/** Starts it all; everything ends with it. */
export async function startAuthService({
  github,
  install = installSqlite,
  answerLog,
  logger,
  portal,
  realTimes = false,
  site = SITE,
}: AuthTestOptions = {}): Promise<AuthTestService> {
  const owned = new AsyncDisposableStack();
  const mail = owned.use(await startMailServer());
  const faults: string[] = [];
  const lazyAuths: LazyAuth[] = [];
  const http = owned.use(
    await startHttpService({
      publicUrl: site,
      trustProxy: 1,
      install,
      ...(portal === undefined ? {} : { portal }),
      ...(logger === undefined ? {} : { logger }),
      ...(answerLog === undefined ? {} : { answerLog }),
      auth({ clock, place, plans }) {
        let auth: Promise<AuthService> | null = null;
        const lazyAuth: LazyAuth & AsyncDisposable = {
          url: () => site,
          origins: () => [new URL(site).origin],
          open: () =>
            (auth ??= openAuth({
              name: SERVICE_NAME,
              secret: randomBytes(32).toString("base64url"),
              github: github ?? null,
              mail: {
                kind: "smtp",
                url: mail.url,
                from: "Directory <directory@clinic.example>",
              },
              place,
              plans,
              clock: () => clock.nowMs,
              random: randomBytes,
              url: site,
              origins: [new URL(site).origin],
              show: () => undefined,
              ...(realTimes
                ? {}
                : { passwordHashing: CHEAP_HASHING, paddedMs: 0 }),
              onFault: (reason) => {
                faults.push(reason);
                logger?.error({ reason }, "sign-up or sign-in failed");
              },
            })),
          async [Symbol.asyncDispose]() {
            await (await auth)?.[Symbol.asyncDispose]();
          },
        };
        lazyAuths.push(lazyAuth);
        return lazyAuth;
      },
    }),
  );
  let addresses = 0;
  const nextAddress = () => `198.51.100.${++addresses}`;
  const service: AuthTestService = {
    http,
    mail,
    faults,
    auth() {
      const [lazyAuth] = lazyAuths;
      if (lazyAuth === undefined) throw new Error("Sign-up is not set up.");
      return lazyAuth.open();
    },
    browser: () => new Browser(http, site, nextAddress),
    async signedIn(email) {
      const browser = service.browser();
      await browser.signUp(email);
      // Otherwise the link would sign in, too.
      browser.cookies.clear();
      await browser.confirm((await mail.mailTo(email)).link);
      const answer = await browser.signIn(email);
      if (answer.statusCode !== 200) throw new Error(answer.body);
      return browser;
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
  return service;
}

/** Asks as a page of the service does: with its origin, and with the cookies that it was given. */
export class Browser {
  readonly cookies = new Map<string, string>();
  /** The last `Set-Cookie` lines. */
  lastCookies: string[] = [];
  readonly #http: HttpService;
  readonly #site: string;
  readonly #nextAddress: () => string;
  #address: string;

  constructor(http: HttpService, site: string, nextAddress: () => string) {
    this.#http = http;
    this.#site = site;
    this.#nextAddress = nextAddress;
    this.#address = nextAddress();
  }

  /** From now on it asks from elsewhere on the network, so that no limit by address holds it. */
  useAnotherAddress(): void {
    this.#address = this.#nextAddress();
  }

  get(path: string, headers: Record<string, string> = {}) {
    return this.ask("GET", path, undefined, headers);
  }

  post(path: string, body: unknown, headers: Record<string, string> = {}) {
    return this.ask("POST", path, body, headers);
  }

  delete(path: string, body?: unknown) {
    return this.ask("DELETE", path, body);
  }

  /** A header that is empty is left out. */
  async ask(
    method: "DELETE" | "GET" | "HEAD" | "POST" | "PUT",
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<LightMyRequestResponse> {
    const all: Record<string, string> = {
      origin: new URL(this.#site).origin,
      cookie: [...this.cookies]
        .map(([name, value]) => `${name}=${value}`)
        .join("; "),
      "x-forwarded-for": this.#address,
      "content-type": body === undefined ? "" : "application/json",
      ...headers,
    };
    const answer = await this.#http.ask({
      method,
      url: path,
      headers: Object.fromEntries(
        Object.entries(all).filter(([, value]) => value !== ""),
      ),
      ...(body === undefined
        ? {}
        : { payload: typeof body === "string" ? body : JSON.stringify(body) }),
    });
    this.lastCookies = [answer.headers["set-cookie"] ?? []].flat();
    for (const line of this.lastCookies) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === "") this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    return answer;
  }

  /** Opens a link of a mail. */
  follow(link: string) {
    return this.get(link.slice(this.#site.length));
  }

  /** Presses the button of the page to which a confirmation link leads. */
  confirm(link: string) {
    return this.post("/auth/verify-email", { token: tokenOf(link) });
  }

  signUp(email: string, password = PASSWORD) {
    return this.post("/auth/sign-up/email", { name: "", email, password });
  }

  signIn(email: string, password = PASSWORD) {
    return this.post("/auth/sign-in/email", { email, password });
  }
}
