import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { sql } from "kysely";
import { MAX_SESSIONS } from "../../src/accounts/users/purge-expired-users.ts";
import { openDatabase } from "../../src/accounts/database/open-database.ts";
import { install } from "../support/app/accounts-installation.ts";
import { installOnPostgresql } from "../support/postgresql/on-both.ts";
import {
  GITHUB_APP,
  startGithubServer,
  type GithubPerson,
  type GithubServer,
} from "../support/app/servers/github-server.ts";
import {
  PASSWORD,
  SITE,
  startAuthService,
  type Browser,
} from "../support/app/auth-service.ts";
import { rounds } from "../support/pure/full-run.ts";
import { NO_POSTGRESQL } from "../support/postgresql/postgresql.ts";
import { totpOf } from "../support/pure/totp.ts";

const ADA = "ada@clinic.example";
const SESSION = "__Secure-provider-directory.session_token";

/** Ada, whose address at GitHub is verified and private, like most. */
function ada(emails: Partial<GithubPerson["emails"][number]> = {}) {
  const own = { email: ADA, primary: true, verified: true, ...emails };
  return {
    id: 4711,
    login: "ada",
    name: null,
    email: null,
    emails: [
      { email: "old@clinic.example", primary: false, verified: true },
      own,
    ],
  };
}

/** Signs in with GitHub in a browser, and returns where that leads. */
async function signIn(
  browser: Browser,
  github: GithubServer,
  person: GithubPerson,
): Promise<string> {
  const begun = await browser.post("/auth/sign-in/social", {
    provider: "github",
    callbackURL: "/account",
  });
  assert.equal(begun.statusCode, 200, begun.body);
  const answer = await browser.follow(github.agree(begun.json().url, person));
  assert.equal(answer.statusCode, 302, answer.body);
  return String(answer.headers.location);
}

const DATABASES = [
  ["SQLite", install, false],
  ["PostgreSQL", installOnPostgresql, NO_POSTGRESQL],
] as const;

for (const [kind, make, skip] of DATABASES.slice(0, rounds(2, 1))) {
  const start = async () => {
    const owned = new AsyncDisposableStack();
    const github = owned.use(await startGithubServer());
    const service = owned.use(
      await startAuthService({ install: make, github: GITHUB_APP }),
    );
    return {
      github,
      service,
      accounts: service.http.installation.accounts,
      [Symbol.asyncDispose]: () => owned.disposeAsync(),
    };
  };

  suite(`sign-in with GitHub on ${kind}`, { skip }, () => {
    test("needs the second factor as well", async () => {
      await using started = await start();
      const { github, service } = started;
      const owner = await service.signedIn(ADA);
      const begun = await owner.post("/auth/two-factor/enable", {
        password: PASSWORD,
      });
      const { totpURI } = begun.json();
      await owner.post("/auth/two-factor/verify-totp", {
        code: totpOf(totpURI),
      });
      const browser = service.browser();
      const place = await signIn(browser, github, ada());
      assert.equal(place, `${SITE}/sign-in?step=code`);
      assert.equal(browser.cookies.has(SESSION), false);
      assert.doesNotMatch([...browser.cookies.keys()].join(), /\.device/);
      assert.equal((await browser.get("/account")).statusCode, 401);
      const second = await browser.post("/auth/two-factor/verify-totp", {
        code: totpOf(totpURI, Date.now() + 30_000),
      });
      assert.equal(second.statusCode, 200, second.body);
      assert.equal((await browser.get("/account")).statusCode, 200);
    });

    test("leads to an account on the free plan, each time the same, with keys and without a password", async () => {
      await using running = await start();
      const { accounts, github, service } = running;
      const browser = service.browser();
      assert.match(await signIn(browser, github, ada()), /\/account$/);
      const account = (await browser.get("/account")).json().data;
      assert.equal(account.email, ADA);
      assert.equal(account.plan, "free");
      const made = await browser.post("/account/keys", { name: "first" });
      assert.equal(made.statusCode, 201, made.body);

      await using db = await openDatabase(service.http.installation.place);
      await db
        .updateTable("user")
        .set({ createdAt: new Date(Date.now() - 86_400_000).toISOString() })
        .execute();
      const elsewhere = service.browser();
      await signIn(elsewhere, github, ada());
      const keys = (await elsewhere.get("/account/keys")).json().data;
      assert.deepEqual(
        keys.map(({ name }: { name: string }) => name),
        ["first"],
      );
      assert.equal((await service.browser().signIn(ADA)).statusCode, 401);
      assert.deepEqual(service.faults, []);
      // Without a password no device can be known, so each would be new.
      await elsewhere.post("/account/keys", { name: "second" });
      await service.mail.mailTo(ADA, 2);
      const texts = service.mail.mails.map(({ text }) => text);
      assert.doesNotMatch(texts.join(), /from a new device/);

      const gone = await elsewhere.delete("/account");
      assert.equal(gone.statusCode, 204, gone.body);
      assert.equal(await accounts.users.find(ADA), null);
      assert.equal((await browser.get("/account")).statusCode, 401);
    });

    test("a user without a password changes the address soon after signing in, and signs in as before", async (t) => {
      await using running = await start();
      const { github, service } = running;
      const browser = service.browser();
      await signIn(browser, github, ada());
      const email = "ada@hospital.example";
      const asked = await browser.post("/account/email", { email });
      assert.equal(asked.statusCode, 204, asked.body);
      const { link } = await service.mail.mailTo(email);
      assert.equal((await browser.confirm(link)).statusCode, 200);
      const again = service.browser();
      await signIn(again, github, ada());
      assert.equal((await again.get("/account")).json().data.email, email);
      t.mock.timers.enable({ apis: ["Date"], now: Date.now() + 600_000 });
      const late = await again.post("/account/email", { email: ADA });
      assert.equal(late.statusCode, 403, late.body);
      assert.match(late.json().error.message, /^Sign in again, then change/);
    });

    test("identifies a user by GitHub's id: renaming there keeps the account", async () => {
      await using running = await start();
      const { github, service } = running;
      await signIn(service.browser(), github, ada());
      const browser = service.browser();
      const renamed = { ...ada({ email: "new@clinic.example" }), login: "eve" };
      await signIn(browser, github, renamed);
      assert.equal((await browser.get("/account")).json().data.email, ADA);
    });

    test("leads to the account of a confirmed address, and to one that an operator created", async () => {
      await using running = await start();
      const { accounts, github, service } = running;
      const first = await service.signedIn(ADA);
      await first.post("/account/keys", { name: "by password" });
      const browser = service.browser();
      await signIn(browser, github, ada({ email: "Ada@Clinic.Example" }));
      const listed = (await browser.get("/account/keys")).json().data;
      assert.equal(listed[0]?.name, "by password");

      // Operators' and GitHub's spellings are normalized alike.
      await accounts.users.create("ben@klinik-ö.example", "paid");
      const ben = service.browser();
      await signIn(ben, github, {
        ...ada({ email: "Ben@Klinik-ö.Example" }),
        id: 12,
      });
      assert.equal((await ben.get("/account")).json().data.plan, "paid");
    });

    test("refuses an address that GitHub has not verified, known or new", async () => {
      await using running = await start();
      const { accounts, github, service } = running;
      await service.signedIn(ADA);
      const eve = service.browser();
      const unverified = ada({ verified: false });
      assert.match(await signIn(eve, github, unverified), /error=/);
      assert.equal(eve.cookies.has(SESSION), false);
      const other = ada({ email: "new@clinic.example", verified: false });
      await signIn(eve, github, { ...other, id: 13 });
      assert.notEqual((await eve.get("/account")).statusCode, 200);
      assert.equal(await accounts.users.find("new@clinic.example"), null);
    });

    test("is not linked to an unconfirmed sign-up of the same address", async () => {
      await using running = await start();
      const { github, service } = running;
      const eve = service.browser();
      await eve.signUp(ADA, "the password of Eve");
      const browser = service.browser();
      assert.match(await signIn(browser, github, ada()), /error=/);
      assert.equal(browser.cookies.has(SESSION), false);
      assert.equal(
        (await eve.signIn(ADA, "the password of Eve")).statusCode,
        401,
      );
    });

    test("starts no session for another browser's state, a used code, or if GitHub refuses", async () => {
      await using running = await start();
      const { github, service } = running;
      const eve = service.browser();
      const body = { provider: "github", callbackURL: "/account" };
      const begin = async (browser: Browser) =>
        (await browser.post("/auth/sign-in/social", body)).json().url;
      // Eve makes Ada's browser follow Eve's redirect, so that Ada would work in Eve's account.
      const back = github.agree(await begin(eve), { ...ada(), id: 666 });
      const victim = service.browser();
      const forged = await victim.follow(back);
      assert.match(String(forged.headers.location), /error=/);
      assert.equal(victim.cookies.has(SESSION), false);

      await eve.follow(github.agree(await begin(eve), ada()));
      assert.equal(eve.cookies.has(SESSION), true);
      const again = service.browser();
      const used = github.agree(await begin(again), ada());
      await again.follow(used);
      again.cookies.delete(SESSION);
      await again.follow(used);
      assert.equal(again.cookies.has(SESSION), false);

      github.refuses = true;
      const refused = service.browser();
      assert.match(await signIn(refused, github, ada()), /error=/);
      assert.equal(refused.cookies.has(SESSION), false);
    });

    test("leaves no readable GitHub token in the database, a log or an answer", async () => {
      await using running = await start();
      const { github, service } = running;
      const browser = service.browser();
      await signIn(browser, github, ada());
      const [token = ""] = github.tokens;
      assert.match(token, /^gho_/);
      await using db = await openDatabase(service.http.installation.place);
      const { rows } = await sql`select * from account`.execute(db);
      const stored = JSON.stringify(rows);
      assert.match(stored, /"providerId":"github"/);
      assert.equal(stored.includes(token), false);
      for (const path of ["get-session", "list-sessions"]) {
        const answer = await browser.get(`/auth/${path}`);
        assert.equal(answer.statusCode, 200);
        assert.equal(answer.body.includes(token), false);
      }
      assert.equal(service.faults.join().includes(token), false);
    });

    test("a GitHub user can set a password with the mailed link, and then sign in both ways", async () => {
      await using running = await start();
      const { github, service } = running;
      await signIn(service.browser(), github, ada());
      const browser = service.browser();
      await browser.post("/auth/request-password-reset", {
        email: ADA,
        redirectTo: "/reset-password",
      });
      const { link } = await service.mail.mailTo(ADA);
      const led = String((await browser.follow(link)).headers.location);
      const newPassword = `${PASSWORD} of Ada`;
      const set = await browser.post("/auth/reset-password", {
        token: new URL(led, "https://directory.example").searchParams.get(
          "token",
        ),
        newPassword,
      });
      assert.equal(set.statusCode, 200, set.body);
      assert.equal((await browser.signIn(ADA, newPassword)).statusCode, 200);
      await signIn(browser, github, ada());
      assert.equal((await browser.get("/account")).json().data.email, ADA);
      // Wrong passwords from this browser then don't count as a stranger's.
      const elsewhere = service.browser();
      await signIn(elsewhere, github, ada());
      assert.ok(
        elsewhere.cookies.has("__Secure-provider-directory.device"),
        elsewhere.lastCookies.join(),
      );
    });

    test("ends sessions beyond a user's limit", async () => {
      await using running = await start();
      const { github, service } = running;
      const browser = service.browser();
      await signIn(browser, github, ada());
      await using db = await openDatabase(service.http.installation.place);
      const owner = db.selectFrom("user").select("id");
      const { id } = await owner.executeTakeFirstOrThrow();
      const at = new Date().toISOString();
      for (let index = 0; index < MAX_SESSIONS + 5; index++)
        await sql`INSERT INTO "session" ("id", "expiresAt", "token", "createdAt", "updatedAt", "userId") VALUES (${`s${index}`}, ${at}, ${`t${index}`}, ${at}, ${at}, ${id})`.execute(
          db,
        );
      await signIn(browser, github, ada());
      const sessions = await db.selectFrom("session").select("id").execute();
      assert.equal(sessions.length, MAX_SESSIONS);
      assert.equal((await browser.get("/account")).statusCode, 200);
    });
  });
}
