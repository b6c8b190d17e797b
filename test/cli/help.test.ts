import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { LOADED_COMMANDS } from "../support/program/loaded-commands.ts";
import manifest from "../../package.json" with { type: "json" };
import {
  fails,
  runProgram,
  succeed,
  succeeded,
} from "../support/program/program.ts";

suite("help", () => {
  test("the program lists every command except the hidden ones", async () => {
    for (const args of [[], ["--help"], ["-h"], ["help"]]) {
      const { code, err, out } = await runProgram(args);
      assert.deepEqual([code, err], [0, ""]);
      for (const { isHidden, words } of LOADED_COMMANDS)
        assert.equal(
          out.includes(`\n  ${words.join(" ")}`),
          isHidden !== true,
          words.join(" "),
        );
      assert.match(out, /^Exit codes: 0 .*, 1 .*, 2 .*, 3 check: .*\.$/m);
    }
  });

  for (const group of ["keys", "accounts", "snapshots"]) {
    test(`${group} --help lists its own commands and no others`, async () => {
      const out = await succeeded(runProgram([group, "--help"]));
      for (const { words } of LOADED_COMMANDS)
        assert.equal(
          out.includes(`\n  ${words.join(" ")}`),
          words[0] === group,
          words.join(" "),
        );
    });
  }

  for (const { settings, words } of LOADED_COMMANDS) {
    test(`${words.join(" ")} --help shows each of its options with its variable`, async () => {
      const { code, err, out } = await runProgram([...words, "--help"]);
      assert.deepEqual([code, err], [0, ""]);
      assert.match(
        out,
        new RegExp(`^Usage: provider-directory ${words.join(" ")}`),
      );
      for (const { flag, variable } of settings) {
        assert.ok(out.includes(`--${flag}`), flag);
        assert.ok(out.includes(`[${variable}]`), variable);
      }
    });

    test(`${words.join(" ")} --help works whatever else is given`, async () => {
      await succeed([...words, "--no-such", "--help"]);
    });
  }

  test("no line is wider than a hundred characters", async () => {
    for (const { words } of LOADED_COMMANDS) {
      const { out } = await runProgram([...words, "--help"]);
      assert.deepEqual(
        out.split("\n").filter((line) => line.length > 100),
        [],
      );
    }
  });

  test("the version is the package's", async () => {
    assert.deepEqual(await runProgram(["--version"]), {
      code: 0,
      out: `provider-directory ${manifest.version}\n`,
      err: "",
    });
  });
});

suite("a usage error exits with 2, one sentence, and how to get help", () => {
  const misuses: [args: string[], sentence: string][] = [
    [
      ["improt"],
      'Unknown command "improt". Did you mean "import"? See provider-directory --help.',
    ],
    [
      ["keys", "lst"],
      'Unknown command "keys lst". Did you mean "keys list"? See provider-directory keys --help.',
    ],
    [
      ["kyes", "rotat"],
      'Unknown command "kyes". Did you mean "keys rotate"? See provider-directory --help.',
    ],
    [
      ["acounts"],
      'Unknown command "acounts". Did you mean "accounts"? See provider-directory --help.',
    ],
    [["keys"], "keys needs a subcommand. See provider-directory keys --help."],
    [
      ["keys", "destroy"],
      'Unknown command "keys destroy". See provider-directory keys --help.',
    ],
    [
      ["import"],
      "FILE.zip|FILE.csv|FILE.xlsx... is required. See provider-directory import --help.",
    ],
    [
      ["serve", "now"],
      'Unexpected argument "now". See provider-directory serve --help.',
    ],
    [
      ["serve", "--prot", "1"],
      "Unknown option --prot. Did you mean --port? See provider-directory serve --help.",
    ],
    [
      ["serve", "--force"],
      "Unknown option --force. See provider-directory serve --help.",
    ],
    [
      ["serve", "--port"],
      "--port needs a value: --port PORT. See provider-directory serve --help.",
    ],
    [
      ["serve", "--port", "http"],
      '--port must be a whole number from 0 to 65535, not "http". See provider-directory serve --help.',
    ],
    [
      ["keys", "create"],
      "--email ADDRESS is required (or set KEY_EMAIL). See provider-directory keys create --help.",
    ],
    [
      ["keys", "revoke"],
      "PREFIX is required. See provider-directory keys revoke --help.",
    ],
    [
      ["keys", "rotate", "a", "b"],
      'Unexpected argument "b". See provider-directory keys rotate --help.',
    ],
    [
      ["generate", "--out", "a.csv"],
      "--providers N is required (or set PROVIDERS). See provider-directory generate --help.",
    ],
    [
      ["generate", "--providers", "5"],
      "--out FILE is required (or set OUT). See provider-directory generate --help.",
    ],
    [
      "generate --providers 5 --out a.csv --seed -1".split(" "),
      '--seed must be a whole number from 0 to 4294967295, not "-1". See provider-directory generate --help.',
    ],
    [
      ["serve", "--database-url", "postgres://a,b/accounts"],
      "--database-url must name one server, not several: a proxy that finds the primary, such as HAProxy, or the address that your provider manages (see Failover in docs/deploying.md). See provider-directory serve --help.",
    ],
    [
      ["demo", "--providers", "0"],
      '--providers must be a whole number from 1 to 50000000, not "0". See provider-directory demo --help.',
    ],
  ];
  for (const [args, sentence] of misuses) {
    test([...args, "→", sentence].join(" "), async () => {
      assert.deepEqual(await runProgram(args), {
        code: 2,
        out: "",
        err: `provider-directory: ${sentence}\n`,
      });
    });
  }

  test("an invalid variable is a usage error too", async () => {
    await fails(
      runProgram(["serve"], {
        environment: { WORKERS: "all" },
      }),
      2,
      /^provider-directory: WORKERS must be a whole number/,
    );
  });
});

test("suggests the right command or option if a letter is missing, doubled or swapped", async () => {
  for (const { isHidden, settings, words } of LOADED_COMMANDS) {
    if (isHidden === true) continue;
    const last = words.at(-1) ?? "";
    const before = words.slice(0, -1);
    for (const typed of slipsOf(last)) {
      if (LOADED_COMMANDS.some((each) => each.words.join(" ") === typed))
        continue;
      const { code, err } = await runProgram([...before, typed]);
      assert.equal(code, 2);
      assert.ok(err.includes(`Did you mean "${words.join(" ")}"?`), err);
    }
    for (const { flag } of settings)
      for (const typed of slipsOf(flag)) {
        if (settings.some((each) => each.flag === typed)) continue;
        const { err } = await runProgram([...words, `--${typed}`]);
        assert.match(err, /Did you mean --[a-z-]+\?/, `--${typed}`);
      }
  }
});

/** A word as it is mistyped. */
function slipsOf(word: string): string[] {
  const at = Math.floor(word.length / 2);
  const [head, rest] = [word.slice(0, at), word.slice(at)];
  const [next = "", after = ""] = rest;
  return [
    head + rest.slice(1),
    head + next + rest,
    head + after + next + rest.slice(2),
  ].filter((typed) => typed !== word && typed.length > 1);
}
