import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { suite, test } from "node:test";
import { describeFault } from "../../src/cli/fault.ts";
import { SnapshotFormatError } from "../../src/snapshot/container/section-file.ts";

const NEVER = new AbortController().signal;

/** What an act throws. */
function faultOf(act: () => unknown): unknown {
  try {
    act();
  } catch (error) {
    return error;
  }
  throw new Error("Nothing was thrown.");
}

/** An error as the system makes one that tests cannot bring about. */
function systemError(code: string): Error {
  return Object.assign(new Error(`${code}: something, write`), {
    code,
    errno: -28,
    syscall: "write",
  });
}

suite("faults, as the operator reads them", () => {
  test("those that carry a sentence are that sentence", () => {
    assert.equal(
      describeFault(
        new SnapshotFormatError("It is torn", "import again"),
        NEVER,
      ),
      "provider-directory: It is torn; import again.",
    );
  });

  test("a missing file is named", () => {
    const error = faultOf(() => readFileSync("no-such-file.csv"));
    assert.equal(
      describeFault(error, NEVER),
      "provider-directory: There is no such file or folder (no-such-file.csv): check the name.",
    );
  });

  test("a folder in the place of a file is named as one", () => {
    assert.match(
      describeFault(
        faultOf(() => readFileSync(import.meta.dirname)),
        NEVER,
      ),
      /There is a folder where a file should be/,
    );
  });

  for (const code of ["ENOSPC", "EDQUOT", "EROFS", "EACCES", "EMFILE", "EIO"]) {
    test(`${code} is one sentence without a trace`, () => {
      const text = describeFault(systemError(code), NEVER);
      assert.match(text, /^provider-directory: [A-Z][^\n]*\.$/);
      assert.doesNotMatch(text, /should not happen|    at /);
    });
  }

  test("a full disk says that nothing is lost", () => {
    assert.match(
      describeFault(systemError("ENOSPC"), NEVER),
      /disk is full.*what was served before still is/,
    );
  });

  test("a database that cannot be opened is one sentence", () => {
    const error = faultOf(
      () =>
        new DatabaseSync(`${import.meta.dirname}/no-such-folder/import.lock`),
    );
    assert.match(
      describeFault(error, NEVER),
      /^provider-directory: A database in the data folder cannot be used: [^\n]*$/,
    );
  });

  test("a wish to stop is no fault of the program", () => {
    const controller = new AbortController();
    controller.abort();
    assert.equal(
      describeFault(controller.signal.reason, controller.signal),
      "provider-directory: Stopped before it was done; what was served before still is.",
    );
  });

  test("a bug shows where it is", () => {
    assert.match(
      describeFault(new TypeError("x is not a function"), NEVER),
      /please report it[^\n]*\nTypeError: x is not a function\n +at /,
    );
  });
});
