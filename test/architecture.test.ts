import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { Explore } from "../src/search/explore.ts";
import { Lookup } from "../src/search/lookup.ts";
import { Nearby } from "../src/search/nearby.ts";
import { Search } from "../src/search/search.ts";
import { importsOf as importsOfFiles } from "../tools/imports.ts";

const SOURCE = fileURLToPath(new URL("../src", import.meta.url));

/** Which other folders a folder may import from (ARCHITECTURE.md). */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  files: [],
  threads: [],
  text: [],
  contract: ["text"],
  csv: ["text"],
  reference: ["csv", "text"],
  registry: ["contract", "csv", "text", "threads"],
  snapshot: ["contract", "registry", "reference", "text", "threads"],
  store: ["contract", "files", "snapshot", "registry", "text"],
  importing: [
    "contract",
    "store",
    "snapshot",
    "registry",
    "reference",
    "text",
    "threads",
  ],
  search: ["contract", "snapshot", "reference", "text", "registry"],
  parquet: ["snapshot"],
  tables: [
    "changes",
    "contract",
    "parquet",
    "search",
    "snapshot",
    "store",
    "threads",
  ],
  accounts: ["contract", "files"],
  changes: [
    "contract",
    "search",
    "importing",
    "store",
    "snapshot",
    "registry",
    "text",
  ],
  billing: ["accounts"],
  auth: ["contract", "accounts", "text"],
  settings: ["accounts", "auth", "billing"],
  site: ["contract", "text"],
  portal: [
    "contract",
    "site",
    "search",
    "http",
    "accounts",
    "registry",
    "text",
  ],
  build: ["site"],
  mcp: ["contract"],
  http: [
    "contract",
    "mcp",
    "settings",
    "site",
    "changes",
    "search",
    "auth",
    "accounts",
    "billing",
    "registry",
    "text",
    "threads",
  ],
  server: [
    "contract",
    "settings",
    "site",
    "http",
    "auth",
    "changes",
    "fleet",
    "update",
    "accounts",
    "billing",
    "search",
    "store",
    "snapshot",
    "tables",
  ],
  fleet: [
    "files",
    "settings",
    "update",
    "changes",
    "accounts",
    "importing",
    "store",
    "snapshot",
    "registry",
  ],
  "registry-generator": ["contract", "registry", "reference", "text"],
  update: [
    "contract",
    "files",
    "store",
    "snapshot",
    "registry",
    "reference",
    "text",
  ],
  cli: [
    "contract",
    "files",
    "settings",
    "build",
    "update",
    "changes",
    "fleet",
    "server",
    "http",
    "mcp",
    "registry-generator",
    "auth",
    "accounts",
    "billing",
    "search",
    "importing",
    "store",
    "snapshot",
    "reference",
    "registry",
    "csv",
    "text",
    "threads",
    "tables",
  ],
};

/** Where databases may be used; the import lock is a database that only serves as a lock. */
const DATABASE_FILES = [
  /^accounts\//,
  /^changes\//,
  /^importing\/import-lock\.ts$/,
];
/** The second one shows others how to read theirs. */
const ENVIRONMENT_FILES = [
  "settings/setting-reader.ts",
  "portal/api/request-samples.ts",
];

interface SourceFile {
  /** Relative to `src`, with slashes. */
  path: string;
  folder: string;
  text: string;
}

const FILES: readonly SourceFile[] = readdirSync(SOURCE, {
  recursive: true,
  encoding: "utf8",
})
  .filter((path) => /\.tsx?$/.test(path))
  .map((native) => {
    const path = native.split(sep).join("/");
    return {
      path,
      folder: path.split("/")[0] ?? "",
      text: readFileSync(join(SOURCE, native), "utf8"),
    };
  });

/** What a file imports: static and dynamic imports, re-exports, and files that it names as programs of threads. */
function importsOf({ text }: SourceFile): string[] {
  const matches = text.matchAll(
    /(?:\bfrom|\bimport|\bimport\(|\bnew URL\()\s*"([^"]+)"/g,
  );
  return [...matches].map(([, specifier = ""]) => specifier);
}

test("every folder of the source has its place in the order", () => {
  assert.deepEqual(
    [...new Set(FILES.map(({ folder }) => folder))].sort(),
    Object.keys(MAY_IMPORT).sort(),
  );
});

test("imports point in the direction in which data flow, and never back", () => {
  const wrong: string[] = [];
  let followed = 0;
  for (const file of FILES) {
    for (const specifier of importsOf(file).filter((each) =>
      each.startsWith("."),
    )) {
      const target = relative(
        SOURCE,
        join(SOURCE, dirname(file.path), specifier),
      ).split(sep);
      // Only package.json is imported from above the source.
      if (target[0] === "..") continue;
      followed++;
      const folder = target[0] ?? "";
      if (
        folder !== file.folder &&
        MAY_IMPORT[file.folder]?.includes(folder) !== true
      )
        wrong.push(`${file.path} imports ${specifier}`);
    }
  }
  assert.deepEqual(wrong, []);
  assert.ok(followed > 100, "the imports were found");
});

/** The parts of each operation of a directory, which only its file uses. */
const PARTS = {
  "search/search.ts": ["registry-api"],
  "search/nearby.ts": ["nearby"],
  "search/explore.ts": ["interpret", "map", "spelling", "suggest"],
};
/** The registry's own records are a part of the directory. */
const SHARED_PART = "search/registry-api/registry-records.ts";

test("each operation of a directory is the only importer of its parts", () => {
  const wrong = Object.entries(PARTS).flatMap(([owner, parts]) => {
    const isInside = (path: string) =>
      parts.some((part) => path.startsWith(`search/${part}/`));
    return FILES.filter(
      ({ folder, path }) =>
        folder !== "portal" && path !== owner && !isInside(path),
    ).flatMap(({ path, text }) =>
      [...text.matchAll(/^import (?!type )[^;]*?"(\.[^"]+)"/gm)]
        .map(([, specifier = ""]) => join(dirname(path), specifier))
        .filter((target) => isInside(target) && target !== SHARED_PART)
        .map((target) => `${path} imports ${target}`),
    );
  });
  assert.deepEqual(wrong, []);
});

test("no operation of a directory has more than 15 public members", () => {
  for (const operation of [Lookup, Search, Nearby, Explore])
    assert.ok(Object.getOwnPropertyNames(operation.prototype).length <= 15);
});

test("the portal's pages import only server code that runs anywhere", () => {
  const wrong = FILES.filter(({ folder }) => folder === "portal").flatMap(
    ({ path, text }) =>
      [
        ...text.matchAll(
          /^import (?!type )[^;]*?"(?:\.\.\/)+(search|http|accounts|server)\//gm,
        ),
      ].map(([found]) => `${path}: ${found}`),
  );
  assert.deepEqual(wrong, []);
});

test("the portal's pages import types and plain tables from the contract, and no validator", () => {
  const contract = new Map(
    FILES.filter(({ folder }) => folder === "contract").map((file) => [
      file.path,
      file,
    ]),
  );
  /** True if a file imports only texts, and files for which this is true. */
  const isPlain = (file: SourceFile): boolean =>
    importsOf(file).every((specifier) => {
      if (specifier.startsWith("../text/")) return true;
      const target = contract.get(join(dirname(file.path), specifier));
      return target !== undefined && isPlain(target);
    });
  const schemas = new Set(
    Array.from(contract.values())
      .filter((file) => !isPlain(file))
      .map(({ path }) => path),
  );
  const wrong = FILES.filter(({ folder }) => folder === "portal").flatMap(
    ({ path, text }) =>
      [
        ...text.matchAll(
          /^import (?!type )[^;]*?"(?:\.\.\/)+(contract\/[^"]+)"/gm,
        ),
      ]
        .filter(([, target = ""]) => schemas.has(target))
        .map(([found]) => `${path}: ${found}`),
  );
  assert.deepEqual(wrong, []);
});

test("imports have file endings, and Node's packages their prefix", () => {
  const wrong = FILES.flatMap((file) =>
    importsOf(file)
      .filter((specifier) =>
        specifier.startsWith(".")
          ? !/\.(tsx?|json|css|svg|ico)$/.test(specifier) &&
            !specifier.endsWith("/")
          : /^(fs|path|os|url|util|crypto|events|stream|zlib|net|http)(\/|$)/.test(
              specifier,
            ),
      )
      .map((specifier) => `${file.path} imports ${specifier}`),
  );
  assert.deepEqual(wrong, []);
});

test("only accounts and changes use databases", () => {
  const users = FILES.filter((file) =>
    importsOf(file).some(
      (specifier) =>
        specifier === "node:sqlite" ||
        specifier === "kysely" ||
        specifier === "pg",
    ),
  );
  assert.deepEqual(
    users
      .map(({ path }) => path)
      .filter((path) => !DATABASE_FILES.some((allowed) => allowed.test(path))),
    [],
  );
});

test("sign-in and mail are loaded only if sign-up is on", () => {
  const users = FILES.filter((file) =>
    importsOf(file).some((specifier) =>
      /^(better-auth|nodemailer)(\/|$)/.test(specifier),
    ),
  );
  assert.deepEqual(
    users.map(({ path }) => path).filter((path) => !path.startsWith("auth/")),
    [],
  );
  // Of what loads them only types may be imported; the one door is a dynamic import.
  const loaders = FILES.filter(
    ({ path, text }) =>
      /^(http|server|cli)\//.test(path) &&
      /^import (?!type )[^;]*auth\/(open-auth|auth-options|mail\/open-mail-transport|mail\/smtp|mail\/mailer)\.ts"/m.test(
        text,
      ),
  );
  assert.deepEqual(
    loaders.map(({ path }) => path),
    [],
  );
});

test("OpenTelemetry is loaded only if it is on", () => {
  const users = FILES.filter((file) =>
    importsOf(file).some((specifier) => specifier.startsWith("@opentelemetry")),
  );
  assert.deepEqual(
    users
      .map(({ path }) => path)
      .filter((path) => !path.startsWith("server/telemetry/")),
    [],
  );
  // From elsewhere, only dynamic imports and types lead there.
  const loaders = FILES.filter(
    ({ path, text }) =>
      !path.startsWith("server/telemetry/") &&
      /^import (?!type )[^;]*\/telemetry\/[a-z-]+\.ts"/m.test(text),
  );
  assert.deepEqual(
    loaders.map(({ path }) => path),
    [],
  );
});

/** What only these files may contain: each is one step of the way of every request (ARCHITECTURE.md). */
const STEPS: readonly (readonly [step: string, text: RegExp, by: RegExp])[] = [
  ["answers", /\banswer\(call\b/, /^http\/(answer|app)\.ts$/],
  [
    "answers from the data",
    /\banswerFromData\(/,
    /^http\/(app|queries\/own-requests)\.ts$|\/answer-locally\.ts$/,
  ],
  [
    "takes a token of a burst limit",
    /\.takeBurst\(/,
    /^http\/access\/(authorize|explorer-gate)\.ts$/,
  ],
  ["reserves quota", /\bcaller\.reserve\(/, /^http\/answer\.ts$/],
  ["takes quota", /\.takeQuota\(/, /^http\/access\/caller\.ts$/],
  ["gives quota back", /\bcaller\.giveBack\(/, /^http\/answer\.ts$/],
];

test("every request takes one road", () => {
  for (const [step, text, by] of STEPS) {
    const files = FILES.filter(
      (file) => /^(http|cli|server)\//.test(file.path) && text.test(file.text),
    ).map(({ path }) => path);
    assert.ok(files.length > 0, `a file ${step}`);
    assert.deepEqual(
      files.filter((path) => !by.test(path)),
      [],
      step,
    );
  }
});

test("one file uses fields of Node without documentation", () => {
  const users = FILES.filter(
    ({ folder, text }) =>
      (folder === "http" || folder === "server") &&
      /\b_httpMessage\b|\b_headerSent\b|\b_header\b|\b_handle\b|\b_paused\b|\bonIncoming\b/.test(
        text,
      ),
  );
  assert.deepEqual(
    users.map(({ path }) => path),
    ["http/limits/pipelining.ts"],
  );
});

/** Packages that only some installations or requests need, and what may load them at once. */
const LOADED_LATE: Readonly<Record<string, RegExp>> = {
  "@aws-sdk": /^$/,
  "@modelcontextprotocol": /^$/,
  "@opentelemetry": /^$/,
  "better-auth": /^$/,
  hucre: /^$/,
  nodemailer: /^$/,
  pg: /^$/,
  stripe: /^$/,
  // The service's threads check queries with it, as a search does once it runs, and publishing checks manifests.
  typebox:
    /^server\/workers\/|^cli\/commands\/fleet\.ts$|\/(answer-locally|folder-api)\.ts$/,
  vite: /^$/,
};

test("commands and threads start without packages that they may not need", () => {
  const byPath = new Map(FILES.map((file) => [file.path, file]));
  const entries = FILES.filter(({ path }) =>
    /^cli\/(main\.ts|commands\/)|^server\/workers\/worker-thread\.ts$/.test(
      path,
    ),
  );
  const wrong: string[] = [];
  for (const { path: entry } of entries) {
    const reached = new Set([entry]);
    for (const path of reached) {
      const { text = "" } = byPath.get(path) ?? {};
      for (const [, specifier = ""] of text.matchAll(
        /^(?:import|export) (?!type )(?:[^;"]*? from )?"([^"]+)"/gm,
      )) {
        if (specifier.startsWith("."))
          reached.add(join(dirname(path), specifier).split(sep).join("/"));
        else
          for (const [name, allowed] of Object.entries(LOADED_LATE))
            if (
              (specifier === name || specifier.startsWith(`${name}/`)) &&
              !allowed.test(entry)
            )
              wrong.push(`${entry} loads ${name} by ${path}`);
      }
    }
  }
  assert.deepEqual(wrong, []);
});

test("the environment is read in one file", () => {
  const readers = FILES.filter(({ text }) =>
    /\bprocess\s*\.\s*env\b|import\.meta\.env|\benv\b[^"\n]*from "node:process"/.test(
      text,
    ),
  );
  assert.deepEqual(
    readers.map(({ path }) => path),
    ENVIRONMENT_FILES,
  );
});

/** The folders of test support, each with those that it may import from: a test reaches no more than it asks for. */
const SUPPORT: Readonly<Record<string, readonly string[]>> = {
  pure: ["pure"],
  app: ["pure", "app"],
  program: ["pure", "app", "program"],
  postgresql: ["pure", "app", "program", "postgresql"],
  fleet: ["pure", "app", "program", "postgresql", "fleet"],
};

test("test support imports no support that needs more than itself", () => {
  const wrong: string[] = [];
  for (const [path, targets] of importsOfFiles()) {
    const allowed = SUPPORT[supportFolderOf(path) ?? ""];
    if (allowed === undefined) continue;
    for (const target of targets.filter((each) => each.startsWith("test/")))
      if (!allowed.includes(supportFolderOf(target) ?? ""))
        wrong.push(`${path} imports ${target}`);
  }
  assert.deepEqual(wrong, []);
});

/** Gives the folder of test support that a file is in; null for any other file. */
function supportFolderOf(path: string): string | null {
  return /^test\/support\/(\w+)\//.exec(path)?.[1] ?? null;
}
