import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const PORTAL = fileURLToPath(new URL("../../src/portal", import.meta.url));

test("every class of a CSS module is used, and every class used is defined", () => {
  const defined = new Map<string, Set<string>>();
  for (const path of globSync("**/*.module.css", { cwd: PORTAL })) {
    const css = read(path)
      .replaceAll(/\/\*[^]*?\*\//g, "")
      .replaceAll(/:global\([^)]*\)/g, "");
    const names = [...css.matchAll(/\.([a-z][\w-]*)(?=[^{};]*\{)/g)];
    defined.set(path, new Set(names.map(([, name = ""]) => camelCase(name))));
  }
  const used = new Map<string, Set<string>>();
  for (const path of globSync("**/*.tsx", { cwd: PORTAL })) {
    const code = read(path);
    const imports = code.matchAll(/import (\w+) from "([^"]+\.module\.css)"/g);
    for (const [, local = "", from = ""] of imports) {
      const module = join(dirname(path), from);
      const names = used.get(module) ?? new Set<string>();
      used.set(module, names);
      for (const [, name = ""] of code.matchAll(
        new RegExp(`\\b${local}\\.(\\w+)`, "g"),
      ))
        names.add(name);
    }
  }
  assert.ok(defined.size > 5, "the modules were found");
  for (const [path, names] of defined)
    assert.deepEqual(
      [...(used.get(path) ?? [])].sort(),
      [...names].sort(),
      basename(path),
    );
});

function read(path: string): string {
  return readFileSync(join(PORTAL, path), "utf8");
}

function camelCase(name: string): string {
  return name.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}
