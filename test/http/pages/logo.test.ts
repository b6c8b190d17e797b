import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { suite, test } from "node:test";
import { readLogo } from "../../../src/http/pages/logo.ts";
import { startHttpService } from "../../support/app/http-service.ts";
import { portalParts } from "../../support/app/portal-parts.ts";
import { temporaryFolder } from "../../support/pure/temporary-folder.ts";

const SVG = `<?xml version="1.0"?>
<!-- A logo. -->
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4 1"><script>alert(1)</script></svg>`;
const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

suite("the logo", () => {
  test("has an address that changes with it, a strong validator, and a policy that runs no script", async () => {
    using folder = temporaryFolder();
    for (const [name, bytes, type] of [
      ["logo.svg", Buffer.from(SVG), "image/svg+xml"],
      ["logo.png", PNG, "image/png"],
    ] as const) {
      const path = join(folder.path, name);
      writeFileSync(path, bytes);
      const logo = readLogo(path);
      if (typeof logo === "string") assert.fail(logo);
      const portal = await portalParts({ logo });
      await using service = await startHttpService({ portal });
      const config = await service.ask({ url: "/portal.json" });
      const url: string = config.json().data.logo;
      assert.match(url, new RegExp(`^/logo/[\\w-]{16}\\.${name.slice(-3)}$`));
      const answer = await service.ask({ url });
      assert.deepEqual(answer.rawPayload, bytes);
      const { headers } = answer;
      assert.equal(headers["content-type"], type);
      assert.equal(
        headers["cache-control"],
        "public, max-age=31536000, immutable",
      );
      const policy = String(headers["content-security-policy"]);
      assert.match(policy, /default-src 'none'.*; sandbox;/);
      assert.doesNotMatch(policy, /script-src|allow-scripts/);
      const tag = String(headers.etag);
      assert.match(tag, /^"[\w-]{16}\.\w{3}"$/);
      const held = await service.ask({
        url,
        headers: { "if-none-match": tag },
      });
      assert.equal(held.statusCode, 304);
      const other = await service.ask({ url: "/logo/other.svg" });
      assert.equal(other.statusCode, 404);
    }
  });

  test("is refused if it is missing, too large, or of another type, whatever its name says", () => {
    using folder = temporaryFolder();
    const path = join(folder.path, "logo.svg");
    const problemOf = (bytes: string | Buffer) => {
      writeFileSync(path, bytes);
      return readLogo(path);
    };
    const missing = readLogo(path);
    assert.ok(typeof missing === "string");
    assert.match(missing, /^it can't be read \(ENOENT/);
    assert.equal(
      problemOf("<html><body>svg</body></html>"),
      "it is neither SVG nor PNG",
    );
    assert.equal(problemOf(""), "it is neither SVG nor PNG");
    assert.equal(
      problemOf(SVG.padEnd(100_001)),
      "it has 100001 bytes, and a logo may have up to 100000",
    );
    assert.equal(typeof problemOf(SVG.padEnd(100_000)), "object");
    mkdirSync(join(folder.path, "folder.svg"));
    assert.equal(readLogo(join(folder.path, "folder.svg")), "it is not a file");
  });
});
