import assert from "node:assert/strict";
import { EventEmitter } from "node:events";
import { suite, test } from "node:test";
import { stopSignal, untilAborted } from "../../src/cli/stop-signal.ts";

/** Signals sent by hand, over a clock moved by hand. */
function listen({ hasTerminal = false } = {}) {
  const source = new EventEmitter();
  const clock = { ms: 0 };
  let impatient = 0;
  const signal = stopSignal(
    source,
    () => clock.ms,
    () => void impatient++,
    hasTerminal,
  );
  return {
    clock,
    signal,
    send: (name: "SIGHUP" | "SIGINT" | "SIGTERM") => source.emit(name),
    impatience: () => impatient,
  };
}

suite("stop signals", () => {
  for (const name of ["SIGINT", "SIGTERM"] as const) {
    test(`${name} aborts`, async () => {
      const { send, signal, impatience } = listen();
      assert.equal(signal.aborted, false);
      const waiting = untilAborted(signal);
      send(name);
      await waiting;
      assert.equal(signal.aborted, true);
      assert.equal(impatience(), 0);
    });
  }

  test("the same signal passed on by npm is not a second one", () => {
    const { clock, impatience, send } = listen();
    send("SIGINT");
    clock.ms += 20;
    send("SIGINT");
    send("SIGTERM");
    assert.equal(impatience(), 0);
  });

  test("a second signal stops at once", () => {
    const { clock, impatience, send } = listen();
    send("SIGTERM");
    clock.ms += 500;
    send("SIGTERM");
    assert.equal(impatience(), 1);
  });

  test("SIGHUP otherwise stops nothing, however many times it comes", () => {
    const { clock, impatience, send, signal } = listen();
    for (let sent = 0; sent < 3; sent++) {
      send("SIGHUP");
      clock.ms += 1_000;
    }
    assert.equal(signal.aborted, false);
    assert.equal(impatience(), 0);
  });

  test("SIGHUP of a closed terminal stops the program", () => {
    const { send, signal } = listen({ hasTerminal: true });
    send("SIGHUP");
    assert.equal(signal.aborted, true);
  });
});
