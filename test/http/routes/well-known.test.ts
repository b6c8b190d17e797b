import assert from "node:assert/strict";
import { test } from "node:test";
import { errorOf } from "../../support/pure/http-error.ts";
import { startHttpService } from "../../support/app/http-service.ts";
import { startAuthService } from "../../support/app/auth-service.ts";
import { portalParts } from "../../support/app/portal-parts.ts";

const SECURITY_TXT = "/.well-known/security.txt";
const CHANGE_PASSWORD = "/.well-known/change-password";
const CONTACTS = ["mailto:security@example.org", "https://example.org/report"];

test("security.txt lists the contacts in order, expires within a year, and states its URL", async () => {
  await using service = await startHttpService({
    publicUrl: "https://directory.example",
    securityContacts: CONTACTS,
  });
  const { clock } = service.installation;
  for (const days of [0, 400]) {
    clock.nowMs += days * 86_400_000;
    const { body, headers, statusCode } = await service.ask({
      url: SECURITY_TXT,
    });
    assert.equal(statusCode, 200);
    assert.equal(headers["content-type"], "text/plain; charset=utf-8");
    const [, expires = ""] = /^Expires: (.+)$/m.exec(body) ?? [];
    const leftMs = Date.parse(expires) - clock.nowMs;
    assert.ok(leftMs > 150 * 86_400_000 && leftMs < 365 * 86_400_000, expires);
    assert.equal(
      body,
      [
        "Contact: mailto:security@example.org",
        "Contact: https://example.org/report",
        `Expires: ${expires}`,
        "Preferred-Languages: en",
        "Canonical: https://directory.example/.well-known/security.txt",
        "",
      ].join("\n"),
    );
  }
});

test("under a path, where the file is not expected, it states no URL", async () => {
  for (const options of [{ publicUrl: "https://directory.example/api" }, {}]) {
    await using service = await startHttpService({
      ...options,
      securityContacts: CONTACTS,
    });
    const { body } = await service.ask({ url: SECURITY_TXT });
    assert.doesNotMatch(body, /Canonical/);
  }
});

test("without a contact there is no security.txt, and without sign-up or pages no password link", async () => {
  await using plain = await startHttpService();
  await using paged = await startHttpService({ portal: await portalParts() });
  await using auth = await startAuthService();
  for (const [service, url] of [
    [plain, SECURITY_TXT],
    [plain, CHANGE_PASSWORD],
    [paged, CHANGE_PASSWORD],
    [auth.http, CHANGE_PASSWORD],
  ] as const) {
    const { body, statusCode } = await service.ask({ url });
    assert.deepEqual([url, statusCode], [url, 404]);
    assert.equal(errorOf(body).code, "not_found");
  }
});

test("password managers are redirected to the page that changes the password", async () => {
  await using auth = await startAuthService({
    portal: await portalParts(),
  });
  for (const method of ["GET", "HEAD"] as const) {
    const { headers, statusCode } = await auth.http.ask({
      method,
      url: CHANGE_PASSWORD,
    });
    assert.deepEqual(
      [statusCode, headers.location, headers["content-length"]],
      [302, "/settings/security", "0"],
    );
  }
  const page = await auth.http.ask({ url: "/settings/security" });
  assert.equal(page.statusCode, 200);
  // Password managers request this to check whether status codes here are reliable.
  const { statusCode: nothing } = await auth.http.ask({
    url: "/.well-known/resource-that-should-not-exist-whose-status-code-should-not-be-200",
  });
  assert.equal(nothing, 404);
});
