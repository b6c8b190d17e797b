import assert from "node:assert/strict";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { suite, test } from "node:test";
import {
  startMailServer,
  tokenOf,
} from "../../support/app/servers/mail-server.ts";
import {
  ProgramProcess,
  fails,
  runProgram,
  succeeded,
} from "../../support/program/program.ts";
import { temporaryFolder } from "../../support/pure/temporary-folder.ts";

const ADA = "ada@clinic.example";
const PASSWORD = "correct horse battery";
const MAIL = { SMTP_URL: "smtp://127.0.0.1:1", MAIL_FROM: "d@clinic.example" };
const PUBLIC_URL = "https://directory.example";

/** Asks as a page of the service does. */
function ask(url: string, path: string, body: object) {
  return fetch(`${url}${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", origin: url },
    body: JSON.stringify(body),
    redirect: "manual",
  });
}

suite("sign-up by configuration", () => {
  test("does not start with incomplete settings, and says what to set", async () => {
    using folder = temporaryFolder();
    const cases: [Record<string, string>, RegExp][] = [
      [{ SIGN_UP: "on" }, /Set SMTP_URL .* and MAIL_FROM, or turn sign-up off/],
      [{ SMTP_URL: MAIL.SMTP_URL }, /MAIL_FROM is not\. Set MAIL_FROM/],
      [{ ...MAIL }, /needs PUBLIC_URL, for the links in emails/],
      [
        { ...MAIL, PUBLIC_URL, DATABASE_URL: "postgres://db.example/accounts" },
        /needs AUTH_SECRET, the same on every machine/,
      ],
      [
        { ...MAIL, PUBLIC_URL, GITHUB_CLIENT_ID: "id" },
        /Only one of .* is set\. Set both, or neither/,
      ],
    ];
    for (const [environment, message] of cases) {
      await fails(
        runProgram(["serve", "--port", "0", "--data-dir", folder.path], {
          environment,
        }),
        1,
        message,
      );
    }
  });

  test("invalid values are refused, and secrets are not shown", async () => {
    for (const [flag, value, message] of [
      ["--smtp-url", "mail.hidden.example", /--smtp-url must be a URL/],
      ["--mail-from", "support", /--mail-from must be an email address/],
      ["--auth-secret", "hidden", /--auth-secret must have at least 32/],
      ["--trust-proxy", "true", /--trust-proxy must be a number of proxies/],
      ["--trust-proxy", "0.0.0.0/0", /--trust-proxy must be/],
      ["--sign-up", "maybe", /--sign-up must be one of on, off/],
    ] as const) {
      const { code, err } = await runProgram(["serve", flag, value]);
      assert.equal(code, 2, err);
      assert.match(err, message);
      assert.doesNotMatch(err, /hidden/);
    }
  });

  test("serve has no sign-up unless it is turned on, and says so", async () => {
    using folder = temporaryFolder();
    await using program = new ProgramProcess([
      ..."serve --port 0 --workers 1 --data-dir".split(" "),
      folder.path,
    ]);
    const [, url = ""] = await program.printed(/Listening on (http:\S+) with/);
    await program.printed(/Sign-up is off: no mail server is set/);
    const body = { name: "", email: ADA, password: PASSWORD };
    assert.equal((await ask(url, "/auth/sign-up/email", body)).status, 404);
    assert.equal((await fetch(`${url}/account`)).status, 404);
  });

  test("npm start with a demo prints the link in the terminal; the link works and is not logged", async () => {
    using folder = temporaryFolder();
    await using program = new ProgramProcess(["start"], {
      DATA_DIR: folder.path,
      PORT: "0",
      WORKERS: "1",
      PROVIDERS: "300",
    });
    await program.printed(/Press Ctrl-C to stop/);
    const [, url = ""] = await program.printed(/Listening on (http:\S+)/);
    const body = { name: "", email: ADA, password: PASSWORD };
    assert.equal((await ask(url, "/auth/sign-up/email", body)).status, 200);
    const [, link = ""] = await program.printed(
      /No mail server is set \(SMTP_URL\)\. Email to ada@clinic\.example: Confirm your email address - Provider Directory\n\s+(http:\S+)/,
    );
    assert.equal((await fetch(link)).status, 200);
    const token = tokenOf(link);
    assert.equal((await ask(url, "/auth/verify-email", { token })).status, 200);
    const { email, password } = body;
    const signedIn = await ask(url, "/auth/sign-in/email", { email, password });
    assert.equal(signedIn.status, 200);
    const [cookie = ""] = signedIn.headers.getSetCookie();
    const account = await fetch(`${url}/account`, {
      headers: { cookie: cookie.split(";")[0] ?? "" },
    });
    assert.equal(account.status, 200);
    assert.doesNotMatch(cookie, /Secure/);
    const secret = join(folder.path, "auth-secret");
    assert.equal((statSync(secret).mode & 0o777).toString(8), "600");
    assert.equal(
      program.out.includes(readFileSync(secret, "utf8").trim()),
      false,
    );
  });

  test("serve with a mail server sends mails from MAIL_FROM with links to PUBLIC_URL, and never logs its secret", async () => {
    using folder = temporaryFolder();
    await using mail = await startMailServer();
    const environment = {
      DATA_DIR: folder.path,
      PORT: "0",
      WORKERS: "1",
      SMTP_URL: mail.url,
      MAIL_FROM: "Directory <directory@clinic.example>",
      PUBLIC_URL,
    };
    {
      await using program = new ProgramProcess(["serve"], environment);
      const [, url = ""] = await program.printed(
        /Listening on (http:\S+) with/,
      );
      const answer = await fetch(`${url}/auth/sign-up/email`, {
        method: "POST",
        headers: { "content-type": "application/json", origin: PUBLIC_URL },
        body: JSON.stringify({ name: "", email: ADA, password: PASSWORD }),
      });
      assert.equal(answer.status, 200);
      // A mail that is on its way when the service stops still arrives.
      program.kill("SIGTERM");
      await succeeded(program.ended());
    }
    const { link, text } = await mail.mailTo(ADA);
    assert.match(text, /^From: Directory <directory@clinic\.example>/m);
    assert.ok(link.startsWith(`${PUBLIC_URL}/auth/verify-email?token=`));
    await using again = new ProgramProcess(["serve"], environment);
    const [, url = ""] = await again.printed(/Listening on (http:\S+) with/);
    const confirmed = await fetch(`${url}/auth/verify-email`, {
      method: "POST",
      headers: { "content-type": "application/json", origin: PUBLIC_URL },
      body: JSON.stringify({ token: tokenOf(link) }),
    });
    assert.equal(confirmed.status, 200);
  });
});
