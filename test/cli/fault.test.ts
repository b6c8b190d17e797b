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

suite("faults as the operator reads them", () => {
  test("a fault with a sentence is printed as that sentence", () => {
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
      "provider-directory: No such file or folder (no-such-file.csv). Check the name.",
    );
  });

  test("a folder where a file is expected is reported", () => {
    assert.match(
      describeFault(
        faultOf(() => readFileSync(import.meta.dirname)),
        NEVER,
      ),
      /Expected a file but found a folder/,
    );
  });

  for (const code of ["ENOSPC", "EDQUOT", "EROFS", "EACCES", "EMFILE", "EIO"]) {
    test(`${code} is one sentence without a trace`, () => {
      const text = describeFault(systemError(code), NEVER);
      assert.match(text, /^provider-directory: [A-Z][^\n]*\.$/);
      assert.doesNotMatch(text, /Unexpected error|    at /);
    });
  }

  test("a full disk is reported, and that nothing is lost", () => {
    assert.match(
      describeFault(systemError("ENOSPC"), NEVER),
      /disk is full.*The served data has not changed\./,
    );
  });

  test("a fault is reported, not what then failed because of it", () => {
    const error = faultOf(() => {
      using _file = {
        [Symbol.dispose]() {
          throw systemError("EIO");
        },
      };
      throw systemError("ENOSPC");
    });
    assert.match(
      describeFault(error, NEVER),
      /^provider-directory: The disk is full\. [^\n]*$/,
    );
  });

  test("a database that cannot be opened is one sentence", () => {
    const error = faultOf(
      () =>
        new DatabaseSync(`${import.meta.dirname}/no-such-folder/import.lock`),
    );
    assert.match(
      describeFault(error, NEVER),
      /^provider-directory: Cannot use a database in the data folder\. [^\n]*$/,
    );
  });

  test("a stop on request is not a fault", () => {
    const controller = new AbortController();
    controller.abort();
    assert.equal(
      describeFault(controller.signal.reason, controller.signal),
      "provider-directory: Stopped before it finished. The served data has not changed.",
    );
  });

  test("a bug is printed with its stack", () => {
    assert.match(
      describeFault(new TypeError("x is not a function"), NEVER),
      /Please report it[^\n]*\nTypeError: x is not a function\n +at /,
    );
  });
});
