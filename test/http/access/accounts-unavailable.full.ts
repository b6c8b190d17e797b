import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import test from "node:test";
import { generateKey } from "../../../src/accounts/keys/api-key.ts";
import { installOnOwnPostgresql } from "../../support/postgresql/on-both.ts";
import {
  startHttpService,
  type HttpService,
} from "../../support/app/http-service.ts";
import {
  NO_POSTGRESQL,
  postgresqlOfFile,
} from "../../support/postgresql/postgresql.ts";
import { SAMPLE } from "../../support/pure/engine/sample-directory.ts";

const skip = NO_POSTGRESQL;
const LOOKUP = `/v1/providers/${SAMPLE.person}`;
const SEARCH = "/v1/providers/search";

function ask(service: HttpService, key: string, url: string, accept = "*/*") {
  const headers = { authorization: `Bearer ${key}`, accept };
  return service.ask({ url, headers });
}

test(
  "with accounts on PostgreSQL, every operation is answered, counted and limited as on SQLite",
  { skip },
  async () => {
    await using service = await startHttpService({
      install: installOnOwnPostgresql,
    });
    const answers = [];
    // The first request has a key that is not in memory yet, the rest one that is.
    for (const url of [
      LOOKUP,
      LOOKUP,
      SEARCH,
      "/v1/providers/nearby?zip=62701",
    ])
      answers.push(await ask(service, service.freeKey, url));
    assert.deepEqual(
      answers.map(({ headers, statusCode }) => [
        statusCode,
        headers["x-ratelimit-remaining"],
      ]),
      [
        [200, "999"],
        [200, "998"],
        [200, "997"],
        [200, "996"],
      ],
    );
    const unknown = await ask(service, generateKey(randomBytes), LOOKUP);
    assert.equal(unknown.statusCode, 401);
    assert.equal(unknown.json().error.code, "invalid_api_key");
  },
);

test(
  "concurrent requests with a key that is not in memory are all answered",
  { skip },
  async () => {
    await using service = await startHttpService({
      install: installOnOwnPostgresql,
    });
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => ask(service, service.freeKey, LOOKUP)),
    );
    assert.deepEqual(
      new Set(answers.map(({ statusCode }) => statusCode)),
      new Set([200]),
    );
    const last = await ask(service, service.freeKey, LOOKUP);
    assert.equal(last.headers["x-ratelimit-remaining"], "991");
  },
);

test(
  "without PostgreSQL, a known key is answered, and any other gets 503 with Retry-After, never 401",
  { skip },
  async () => {
    await using service = await startHttpService({
      install: installOnOwnPostgresql,
    });
    assert.equal((await ask(service, service.paidKey, LOOKUP)).statusCode, 200);
    const postgresql = await postgresqlOfFile();
    await postgresql.stop();
    try {
      service.installation.clock.nowMs += 10_000;
      for (const url of [LOOKUP, SEARCH])
        assert.equal(
          (await ask(service, service.paidKey, url)).statusCode,
          200,
          url,
        );
      for (const key of [service.freeKey, generateKey(randomBytes)]) {
        const refused = await ask(
          service,
          key,
          LOOKUP,
          "application/problem+json",
        );
        assert.equal(refused.statusCode, 503);
        assert.equal(refused.headers["retry-after"], "5");
        assert.equal(refused.headers["cache-control"], "no-store");
        assert.match(
          String(refused.headers["content-type"]),
          /^application\/problem\+json/,
        );
        assert.equal(refused.json().code, "accounts_unavailable");
      }
      const mistyped = await ask(
        service,
        `${service.freeKey.slice(0, -1)}_`,
        LOOKUP,
      );
      assert.equal(mistyped.statusCode, 401);
    } finally {
      await postgresql.resume();
    }
  },
);
