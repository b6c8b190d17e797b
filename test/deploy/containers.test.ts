import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { suite, test } from "node:test";
import { fileURLToPath } from "node:url";
import { validate } from "dockerfile-utils";
import { parse } from "yaml";
import type { Json } from "../../src/http/openapi/openapi-failures.ts";
import { unknownVariables } from "../support/program/known-variables.ts";
import { objectAt, textAt } from "../support/pure/json-at.ts";

const PROJECT = fileURLToPath(new URL("../..", import.meta.url));
const read = (path: string) => readFileSync(join(PROJECT, path), "utf8");

/** A Compose file and its services. */
function servicesOf(file: string) {
  const compose: Json = parse(read(file), { merge: true });
  return { compose, services: Object.entries(objectAt(compose, "services")) };
}

/** How many of its services are the program. */
const FILES = { "deploy/compose.yaml": 1, "deploy/compose.fleet.yaml": 4 };

for (const [file, count] of Object.entries(FILES))
  suite(file, () => {
    const { compose, services } = servicesOf(file);
    const ours = services.filter(
      ([, service]) => textAt(service, "image") === "provider-directory",
    );

    test("variables of the program's containers are settings of it", () => {
      assert.equal(ours.length, count);
      for (const [name, service] of ours)
        assert.deepEqual(
          unknownVariables(Object.keys(objectAt(service, "environment"))),
          [],
          name,
        );
    });

    test("what a service depends on and the volumes that it mounts exist", () => {
      const names = new Set(services.map(([name]) => name));
      const volumes = new Set(Object.keys(objectAt(compose, "volumes")));
      for (const [name, service] of services) {
        const { depends_on = [], volumes: mounts = [] } = objectAt(service);
        const needed = Array.isArray(depends_on)
          ? depends_on.map(String)
          : Object.keys(depends_on ?? {});
        for (const each of needed)
          assert.ok(names.has(each), `${name}: ${each}`);
        assert.ok(Array.isArray(mounts));
        for (const mount of mounts) {
          const [source = ""] = textAt(mount).split(":");
          assert.ok(
            source.startsWith("./")
              ? existsSync(join(PROJECT, "deploy", source))
              : volumes.has(source),
            `${name}: ${source}`,
          );
        }
      }
    });

    test("the program gets longer to end than it drains", () => {
      for (const [name, service] of ours) {
        const { environment, stop_grace_period } = objectAt(service);
        if (stop_grace_period === undefined) continue;
        const { DRAIN_DELAY = "0" } = objectAt(environment ?? {});
        const grace = Number.parseInt(textAt(stop_grace_period), 10);
        assert.ok(grace > Number(DRAIN_DELAY) + 10, name);
      }
    });
  });

suite("deploy/compose.fleet.yaml", () => {
  const { compose } = servicesOf("deploy/compose.fleet.yaml");

  test("the balancer's variables are those of haproxy.cfg", () => {
    const balancer = objectAt(compose, "services", "balancer", "environment");
    const presets = [
      ...read("deploy/haproxy.cfg").matchAll(/^ +presetenv (\w+)/gm),
    ];
    assert.deepEqual(
      new Set(Object.keys(balancer)),
      new Set(presets.map(([, name]) => name)),
    );
  });
});

suite("deploy/Dockerfile", () => {
  const file = read("deploy/Dockerfile");

  test("what it copies exists, and is not kept from it", () => {
    const copied = [...file.matchAll(/^COPY (?!--from)(.*) \S+$/gm)].flatMap(
      ([, sources = ""]) => sources.split(" "),
    );
    const sent = read("deploy/Dockerfile.dockerignore").split("\n");
    for (const source of copied) {
      assert.ok(existsSync(join(PROJECT, source)), source);
      assert.ok(sent.includes(`!${source}`), source);
    }
    assert.ok(copied.includes("src"));
  });

  test("a linter finds nothing in it", () => {
    assert.deepEqual(
      validate(file).map(({ message, range }) => ({ message, range })),
      [],
    );
  });

  test("the program does not run as root", () => {
    const users = [...file.matchAll(/^USER (.+)$/gm)].map(([, user]) => user);
    assert.deepEqual(users, ["1000:1000"]);
  });

  test("variables that it sets are settings of the program", () => {
    const [, line = ""] = /^ENV (.*)$/m.exec(file) ?? [];
    const names = [...line.matchAll(/(\w+)=/g)].map(([, name = ""]) => name);
    assert.ok(names.length > 0);
    assert.deepEqual(unknownVariables(names), []);
  });
});
