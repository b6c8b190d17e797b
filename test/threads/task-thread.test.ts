import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { setImmediate } from "node:timers/promises";
import { moving } from "../../src/threads/task-thread.ts";
import { ECHO, EchoError } from "./echo-program.ts";

describe("a task", () => {
  for (const where of ["here", "inThread"] as const) {
    it(`answers each request, ${where}`, async () => {
      await using task = ECHO[where]({ greeting: "Hello" });
      assert.deepEqual(
        await Promise.all([
          task.ask("greet", "you"),
          task.ask("later", 7),
          task.ask("greet", "all"),
        ]),
        ["Hello you", 7, "Hello all"],
      );
    });

    it(`throws what it throws: its own class, members, cause, ${where}`, async () => {
      await using task = ECHO[where]({ greeting: "Hello" });
      await assert.rejects(task.ask("refuse"), (error) => {
        assert.ok(error instanceof EchoError);
        assert.equal(error.message, "Refused");
        assert.equal(error.advice, "ask otherwise");
        assert.ok(error.cause instanceof TypeError);
        return true;
      });
      await assert.rejects(task.ask("read", "/nowhere/at-all"), {
        code: "ENOENT",
        path: "/nowhere/at-all",
      });
      assert.equal(await task.ask("greet", "you"), "Hello you");
    });

    it(`throws its starting error to each request, ${where}`, async () => {
      await using task = ECHO[where]({ greeting: "" });
      await assert.rejects(task.ask("greet", "you"), EchoError);
      await assert.rejects(task.ask("later", 7), EchoError);
    });
  }
});

describe("a task in a thread", () => {
  it("takes memory and returns it without copies", async () => {
    const bytes = new Uint8Array([1, 2, 3]);
    const input = moving({ greeting: "Hello", bytes }, [bytes.buffer]);
    await using task = ECHO.inThread(input);
    assert.equal(bytes.length, 0, "moved");
    assert.deepEqual([...(await task.ask("bytes"))], [1, 2, 3]);
    await assert.rejects(task.ask("bytes"), { name: "DataCloneError" });
  });

  it("that is aborted throws the reason, and ends", async () => {
    const aborting = new AbortController();
    await using task = ECHO.inThread(
      { greeting: "Hello" },
      { signal: aborting.signal },
    );
    const asked = task.ask("hang");
    aborting.abort(new Error("Enough"));
    await assert.rejects(asked, { message: "Enough" });
    assert.throws(
      () => ECHO.inThread({ greeting: "" }, { signal: aborting.signal }),
      { message: "Enough" },
    );
  });

  it("that stops unexpectedly fails its requests", async () => {
    await using task = ECHO.inThread({ greeting: "Hello" });
    await assert.rejects(task.ask("end"), {
      message: "The thread that echoes stopped unexpectedly.",
    });
  });

  it("may be disposed while it works: nothing is unhandled", async () => {
    {
      await using task = ECHO.inThread({ greeting: "Hello" });
      void task.ask("hang");
    }
    await setImmediate();
  });
});
