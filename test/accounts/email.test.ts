import assert from "node:assert/strict";
import { test } from "node:test";
import { normalizeEmail } from "../../src/accounts/users/email.ts";

for (const [written, normalized] of [
  ["a@b.example", "a@b.example"],
  [" Ada.Lovelace+npi@Clinic.EXAMPLE\n", "ada.lovelace+npi@clinic.example"],
  ["o'brien@mail.example", "o'brien@mail.example"],
  ["ada@Bücher.example", "ada@xn--bcher-kva.example"],
  ["jose\u0301@b.example", "jos\u00e9@b.example"],
  [`${"a".repeat(64)}@b.example`, `${"a".repeat(64)}@b.example`],
] as const) {
  test(`${JSON.stringify(written)} is normalized to ${normalized}`, () => {
    assert.equal(normalizeEmail(written), normalized);
  });
}

for (const text of [
  "",
  "ada",
  "@b.example",
  "ada@",
  "ada@localhost",
  "ada@@b.example",
  "a da@b.example",
  ".ada@b.example",
  "ada.@b.example",
  "a..b@b.example",
  "ada@b..example",
  "ada@-b.example",
  "ada@127.0.0.1",
  "ada@[127.0.0.1]",
  "ada@b.example, eve@b.example",
  "Ada <ada@b.example>",
  "ada\u0000@b.example",
  "ada@b.example\r\nBcc: eve@b.example",
  `${"a".repeat(65)}@b.example`,
  `${"a".repeat(60)}@${"b".repeat(60)}.${"c".repeat(60)}.${"d".repeat(60)}.${"e".repeat(20)}.example`,
]) {
  test(`${JSON.stringify(text).slice(0, 60)} is not an address`, () => {
    assert.equal(normalizeEmail(text), null);
  });
}
