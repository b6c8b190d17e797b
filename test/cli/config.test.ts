import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { availableParallelism } from "node:os";
import { SettingReader } from "../../src/settings/setting-reader.ts";
import type { Setting } from "../../src/settings/setting.ts";
import {
  DATA_DIR,
  DEACTIVATED_DETAILS,
  EMAIL,
  FORCE,
  OVERLAP,
  SEED,
} from "../../src/cli/settings/settings.ts";
import {
  ACCOUNTS,
  SERVICE,
  SNAPSHOT_STORE,
} from "../../src/settings/service-settings.ts";
import { PUBLISH } from "../../src/cli/settings/fleet-settings.ts";
import { TAXONOMY_SOURCE } from "../../src/cli/settings/update-settings.ts";

/** Reads one setting from flags and an environment. */
function read<T>(
  setting: Setting<T>,
  environment: Record<string, string> = {},
  flags: Record<string, string> = {},
) {
  const reader = new SettingReader(
    environment,
    new Map(Object.entries(flags)),
    [setting],
  );
  const value = reader.read(setting);
  return { value, problems: reader.problems };
}

suite("reading the configuration", () => {
  test("without flags and variables, the defaults apply", () => {
    assert.deepEqual(read(DATA_DIR), { value: "data", problems: [] });
    assert.deepEqual(read(SERVICE.host), { value: "127.0.0.1", problems: [] });
    assert.deepEqual(read(SERVICE.port), { value: 8080, problems: [] });
    assert.deepEqual(read(SERVICE.workers), {
      value: availableParallelism(),
      problems: [],
    });
    assert.deepEqual(read(FORCE), { value: false, problems: [] });
    assert.deepEqual([...read(ACCOUNTS.plans).value.keys()], ["free", "paid"]);
  });

  test("a flag overrides a variable", () => {
    assert.equal(read(SERVICE.port, { PORT: "9000" }).value, 9000);
    assert.equal(
      read(SERVICE.port, { PORT: "9000" }, { port: "9001" }).value,
      9001,
    );
    assert.equal(read(FORCE, { FORCE: "true" }).value, true);
    assert.equal(
      read(FORCE, { FORCE: "true" }, { force: "false" }).value,
      false,
    );
  });

  test("a flag hides an invalid variable", () => {
    assert.deepEqual(read(SERVICE.port, { PORT: "many" }, { port: "9001" }), {
      value: 9001,
      problems: [],
    });
  });

  test("none is a choice, and not the default", () => {
    const without = { value: null, problems: [] };
    const flags = { "taxonomy-source": "none" };
    assert.deepEqual(read(TAXONOMY_SOURCE, {}, flags), without);
    assert.deepEqual(
      read(TAXONOMY_SOURCE, { TAXONOMY_SOURCE: "none" }),
      without,
    );
  });

  test("a blank variable counts as unset", () => {
    assert.deepEqual(read(SERVICE.port, { PORT: "" }), {
      value: 8080,
      problems: [],
    });
    assert.deepEqual(read(FORCE, { FORCE: "  " }), {
      value: false,
      problems: [],
    });
  });

  test("a number out of range, or not a number, is a problem that names its source and the range", () => {
    for (const text of [
      "65536",
      "-1",
      "80.5",
      "0x50",
      "1e3",
      "http",
      "8080 ",
    ]) {
      assert.deepEqual(read(SERVICE.port, {}, { port: text }).problems, [
        `--port must be a whole number from 0 to 65535, not "${text}".`,
      ]);
    }
    assert.deepEqual(read(SERVICE.workers, { WORKERS: "0" }).problems, [
      'WORKERS must be a whole number from 1 to 256, not "0".',
    ]);
    assert.equal(read(SEED, { SEED: "4294967295" }).value, 4_294_967_295);
    assert.equal(read(SEED, { SEED: "4294967296" }).problems.length, 1);
  });

  test("an unknown choice is a problem that lists the choices", () => {
    assert.deepEqual(
      read(DEACTIVATED_DETAILS, { DEACTIVATED_DETAILS: "hide" }).problems,
      ['DEACTIVATED_DETAILS must be one of keep, withhold, not "hide".'],
    );
    assert.equal(
      read(SERVICE.logLevel, { LOG_LEVEL: "loud" }).problems.length,
      1,
    );
    assert.equal(read(OVERLAP, {}, { overlap: "2h" }).problems.length, 1);
  });

  test("variables of switches take yes, no, and the like", () => {
    for (const text of ["1", "true", "YES", "on"])
      assert.equal(read(FORCE, { FORCE: text }).value, true);
    for (const text of ["0", "false", "No", "off"])
      assert.equal(read(FORCE, { FORCE: text }).value, false);
    assert.deepEqual(read(FORCE, { FORCE: "perhaps" }).problems, [
      'FORCE must be true or false, not "perhaps".',
    ]);
  });

  test("plans extend the built-in ones", () => {
    const { problems, value } = read(ACCOUNTS.plans, {
      PLANS: '{"team":{"monthlyQuota":5,"burstPerSecond":2}}',
    });
    assert.deepEqual(problems, []);
    assert.deepEqual([...value.keys()], ["free", "paid", "team"]);
    assert.equal(value.get("team")?.monthlyQuota, 5);
  });

  test("invalid JSON and invalid plans are problems in words", () => {
    assert.match(
      read(ACCOUNTS.plans, { PLANS: "{" }).problems[0] ?? "",
      /^PLANS must be JSON, such as [^ ]+\.$/,
    );
    assert.deepEqual(read(ACCOUNTS.plans, { PLANS: '{"team":{}}' }).problems, [
      'PLANS is invalid. Plan "team" needs monthlyQuota. Plan "team" needs burstPerSecond.',
    ]);
  });

  test("a public URL is one that clients can use, and loses its last slash", () => {
    assert.equal(
      read(SERVICE.publicUrl, { PUBLIC_URL: "https://api.example.org/" }).value,
      "https://api.example.org",
    );
    assert.equal(
      read(SERVICE.publicUrl, { PUBLIC_URL: "http://localhost:8080/npi/" })
        .value,
      "http://localhost:8080/npi",
    );
    for (const text of [
      "api.example.org",
      "ftp://api.example.org",
      "https://api.example.org/?a=1",
      "https://me@api.example.org",
      "https://api.example.org//elsewhere.example",
      "https://api.example.org/a;b",
      "https://api.example.org/%22",
    ]) {
      assert.equal(
        read(SERVICE.publicUrl, { PUBLIC_URL: text }).problems.length,
        1,
        text,
      );
    }
  });

  test("metrics take a host and a port, or only a port on this machine", () => {
    for (const [text, host, port] of [
      ["9464", "127.0.0.1", 9464],
      ["10.0.0.5:9464", "10.0.0.5", 9464],
      ["metrics.internal:0", "metrics.internal", 0],
      ["[::1]:9464", "::1", 9464],
    ] as const)
      assert.deepEqual(read(SERVICE.metrics, { METRICS: text }).value, {
        host,
        port,
      });
    for (const text of ["on", "localhost", ":9464", "::1:9464", "a:65536"])
      assert.deepEqual(read(SERVICE.metrics, { METRICS: text }).problems, [
        `METRICS must be an address such as 127.0.0.1:9464, not "${text}".`,
      ]);
  });

  test("a missing required setting is a problem that names its option and its variable", () => {
    const reader = new SettingReader({}, new Map(), [EMAIL]);
    assert.equal(reader.require(EMAIL, ""), "");
    assert.deepEqual(reader.problems, [
      "--email ADDRESS is required (or set KEY_EMAIL).",
    ]);
  });

  test("what another setting needs is a problem that names both", () => {
    const settings = [SNAPSHOT_STORE, PUBLISH];
    const flags = new Map([["publish", "true"]]);
    for (const [reader, name] of [
      [new SettingReader({}, flags, settings), "--publish"],
      [new SettingReader({ PUBLISH: "yes" }, new Map(), settings), "PUBLISH"],
    ] as const) {
      reader.require(SNAPSHOT_STORE, "", PUBLISH);
      assert.deepEqual(reader.problems, [
        `${name} needs --snapshot-store URL (or set SNAPSHOT_STORE).`,
      ]);
    }
  });

  test("a table is read at once, each value under its member's name, and can be sent to a thread", () => {
    const environment = { PORT: "9000", DATABASE_GRACE: "5", TRUST_PROXY: "2" };
    const reader = new SettingReader(
      environment,
      new Map(),
      Object.values(SERVICE),
    );
    const settings = reader.readAll(SERVICE);
    assert.deepEqual(Object.keys(settings), Object.keys(SERVICE));
    const { databaseGraceMs, port, trustProxy } = settings;
    assert.deepEqual([databaseGraceMs, port, trustProxy], [5_000, 9_000, 2]);
    assert.deepEqual(reader.problems, []);
    assert.deepEqual(structuredClone(settings), settings);
  });

  test("a command cannot read a setting that its help does not list", () => {
    assert.throws(
      () => new SettingReader({}, new Map(), [SERVICE.host]).read(SERVICE.port),
      /does not list its setting --port/,
    );
  });

  test("security contacts are email addresses, https: and tel: URLs, separated by commas", () => {
    const contacts = (text: string) =>
      read(SERVICE.securityContacts, { SECURITY_CONTACT: text });
    assert.deepEqual(
      contacts(
        "Security@Example.org, https://example.org/report,tel:+1-555-0100",
      ).value,
      [
        "mailto:security@example.org",
        "https://example.org/report",
        "tel:+1-555-0100",
      ],
    );
    assert.deepEqual(contacts("mailto:a@example.org").value, [
      "mailto:a@example.org",
    ]);
    assert.deepEqual(contacts("a+b%c?@example.org").value, [
      "mailto:a%2Bb%25c%3F@example.org",
    ]);
    assert.deepEqual(read(SERVICE.securityContacts).value, []);
    for (const text of [
      "security",
      "http://example.org",
      "https://example.org/\nContact: mailto:eve@example.org",
      "a@example.org,",
      "javascript:alert(1)",
      "tel:555",
      Array(6).fill("a@example.org").join(","),
    ])
      assert.match(
        contacts(text).problems.join(),
        /must be up to 5 contacts/,
        text,
      );
  });
});
