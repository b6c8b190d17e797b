import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { suite, test } from "node:test";
import { fileURLToPath } from "node:url";
import { parse } from "yaml";
import type { Json } from "../../src/http/openapi/openapi-parts.ts";
import { unknownVariables } from "../support/fleet/known-variables.ts";
import { objectAt, textAt } from "../support/program/json-at.ts";

const PROJECT = fileURLToPath(new URL("../..", import.meta.url));
const read = (path: string) => readFileSync(join(PROJECT, path), "utf8");

suite("deploy/compose.yaml", () => {
  const compose: Json = parse(read("deploy/compose.yaml"), { merge: true });
  const services = Object.entries(objectAt(compose, "services"));
  const ours = services.filter(
    ([, service]) => textAt(service, "image") === "provider-directory",
  );

  test("variables of the program's containers are settings of it", () => {
    assert.equal(ours.length, 4);
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
      for (const each of needed) assert.ok(names.has(each), `${name}: ${each}`);
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

  test("nodes get longer to end than they drain", () => {
    const node = objectAt(compose, "services", "node1");
    const grace = Number.parseInt(textAt(node, "stop_grace_period"), 10);
    assert.ok(grace > Number(textAt(node, "environment", "DRAIN_DELAY")) + 10);
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
