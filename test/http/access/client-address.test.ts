import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import { generateKey } from "../../../src/accounts/keys/api-key.ts";
import type { TrustedProxies } from "../../../src/settings/addresses.ts";
import { withoutPorts } from "../../../src/http/access/client-address.ts";
import { startHttpService } from "../../support/app/http-service.ts";
import { SAMPLE } from "../../support/pure/engine/sample-directory.ts";

test("removes ports from forwarded addresses, and changes nothing else", () => {
  for (const [header, expected] of [
    ["203.0.113.9", "203.0.113.9"],
    ["203.0.113.9:50123", "203.0.113.9"],
    ["[2001:db8::1]:443", "2001:db8::1"],
    ["[2001:db8::1]", "2001:db8::1"],
    ["[::ffff:203.0.113.9]:1", "::ffff:203.0.113.9"],
    ["2001:db8::1", "2001:db8::1"],
    ["2001:db8::443", "2001:db8::443"],
    ["203.0.113.9:1,198.51.100.7 , [::1]:2", "203.0.113.9, 198.51.100.7, ::1"],
    ["unknown", "unknown"],
    ["203.0.113.9:", "203.0.113.9:"],
    ["203.0.113.9:123456", "203.0.113.9:123456"],
    ["[::1", "[::1"],
    ["", ""],
  ] as const)
    assert.equal(withoutPorts(header), expected, header);
});

for (const [name, trustProxy, proxy] of [
  ["a count of proxies", 1, ""],
  ["named proxies", ["127.0.0.0/8", "10.0.0.0/8"], ", 10.0.0.2:51000"],
] as const satisfies readonly [string, TrustedProxies, string][])
  test(`a client is the same from any port (${name})`, async () => {
    await using service = await startHttpService({ trustProxy });
    const guess = async (address: string) => {
      const { statusCode } = await service.ask({
        url: `/v1/providers/${SAMPLE.person}`,
        headers: {
          authorization: `Bearer ${generateKey(randomBytes)}`,
          "x-forwarded-for": `${address}${proxy}`,
        },
      });
      return statusCode;
    };
    for (let number = 0; number < 60; number++) {
      assert.equal(await guess(`203.0.113.9:${50_000 + number}`), 401);
      assert.equal(
        await guess(`[2001:db8:0:1::${number.toString(16)}]:${number}`),
        401,
      );
    }
    assert.equal(await guess("203.0.113.9:443"), 429);
    assert.equal(await guess("203.0.113.9"), 429);
    assert.equal(await guess("[2001:db8:0:1:ffff::1]:443"), 429);
    assert.equal(await guess("203.0.113.10:443"), 401);
    assert.equal(await guess("[2001:db8:0:2::1]:443"), 401);
  });
