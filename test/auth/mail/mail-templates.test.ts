import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { openSmtp } from "../../../src/auth/mail/smtp.ts";
import { verificationMail } from "../../../src/auth/mail/templates.ts";
import { startMailServer } from "../../support/app/servers/mail-server.ts";
import {
  PASSWORD,
  SERVICE_NAME,
  SITE,
  startAuthService,
} from "../../support/app/auth-service.ts";

const ADA = "ada@clinic.example";

suite("mails", () => {
  test("each has the service's name in subject, heading and footer, and its link as a button, as text, and in plain text", async () => {
    await using service = await startAuthService();
    const ada = await service.signedIn(ADA);
    await ada.post("/auth/request-password-reset", {
      email: ADA,
      redirectTo: "/reset-password",
    });
    await service.browser().signUp(ADA, PASSWORD);
    for (const [nth, subject, button] of [
      [1, "Confirm your email address", "Confirm address"],
      [2, "Choose a new password", "Choose a password"],
      [3, "You already have an account", "Sign in"],
    ] as const) {
      const { html, link, text } = await service.mail.mailTo(ADA, nth);
      assert.ok(link.startsWith(`${SITE}/`), link);
      // Long subjects are folded.
      assert.ok(
        text
          .replaceAll(/\r\n /g, " ")
          .includes(`Subject: ${subject} - ${SERVICE_NAME}\r\n`),
        text,
      );
      assert.match(text, /^Content-Type: multipart\/alternative;/m);
      assert.doesNotMatch(html, /<(img|style|script)|url\(/);
      const [plain = ""] = text.split("<!doctype html>");
      assert.ok(plain.includes(`${button}:\r\n${link}\r\n`), plain);
      assert.ok(plain.includes(`-- \r\n${SERVICE_NAME}\r\n${SITE}\r\n`), plain);
      const name = "Directory of &lt;A &amp; B&gt;";
      assert.equal(html.includes("<A & B>"), false, html);
      assert.equal(html.split(`>${name}<`).length, 3, html);
      assert.match(html, new RegExp(`<h1 [^>]+>${subject}</h1>`));
      const links = [...html.matchAll(/<a href="([^"]+)"[^>]*>([^<]+)<\/a>/g)];
      const escaped = link.replaceAll("&", "&amp;");
      assert.deepEqual(
        links.map(([, href, shown]) => [href, shown]),
        [
          [escaped, button],
          [escaped, escaped],
          [SITE, SITE],
        ],
      );
    }
  });

  test("no name adds a header or a recipient, whatever it contains", async () => {
    await using mail = await startMailServer();
    const name = "Clinic\r\nBcc: eve@evil.example\r\n\r\n<b>Sons</b>";
    const faults: string[] = [];
    {
      const server = { kind: "smtp", url: mail.url } as const;
      await using smtp = openSmtp(
        { ...server, from: { name, address: "directory@clinic.example" } },
        (reason) => faults.push(reason),
      );
      const sender = { name, url: SITE };
      smtp.send(verificationMail(sender, ADA, `${SITE}/auth/verify-email`));
      await mail.mailTo(ADA);
    }
    assert.deepEqual(
      mail.mails.map(({ to }) => to),
      [[ADA]],
    );
    const { html, raw } = await mail.mailTo(ADA);
    const [headers = ""] = raw.split("\r\n\r\n");
    assert.doesNotMatch(headers, /^(Bcc|<b>)/im);
    assert.match(headers, /^Subject: Confirm your email address - Clinic/m);
    assert.equal(html.includes("<b>"), false);
    assert.deepEqual(faults, []);
  });
});
