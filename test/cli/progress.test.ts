import assert from "node:assert/strict";
import { suite, test } from "node:test";
import {
  Progress,
  progressLine,
  type Reached,
} from "../../src/cli/output/progress.ts";

function reached(done: number, total = 1000): Reached {
  return {
    bytes: done * 1_000_000,
    bytesTotal: total * 1_000_000,
    rows: done * 10,
  };
}

/** Progress over a clock that is moved by hand, and what it wrote. */
function watch({
  isInteractive,
  columns = 200,
}: {
  isInteractive: boolean;
  columns?: number;
}) {
  const clock = { ms: 1_000_000 };
  const written: string[] = [];
  const terminal = {
    isInteractive,
    columns: () => columns,
    write: (text: string) => void written.push(text),
  };
  return {
    clock,
    written,
    progress: new Progress("Importing a.zip", {
      terminal,
      now: () => clock.ms,
    }),
  };
}

/** A quarter of a file after ten seconds, on a terminal of a width. */
function lineOf(width: number): string {
  return progressLine("Importing a.zip", reached(250), 10, width);
}

suite("progress", () => {
  test("a line shows the share done, rows, speed and remaining time", () => {
    assert.equal(
      progressLine("Importing a.zip", reached(250), 10, 120),
      "Importing a.zip [#####...............] 25 %, 250 MB of 1.0 GB, 2,500 rows, 250 rows/s, 30 s left",
    );
  });

  test("shows no remaining time at the end, and none at the start", () => {
    assert.doesNotMatch(progressLine("x", reached(1000), 10, 80), /left/);
    assert.doesNotMatch(
      progressLine("x", reached(0), 0, 80),
      /left|NaN|Infinity/,
    );
  });

  test("shows the bytes so far if the size is unknown", () => {
    assert.match(
      progressLine(
        "x",
        { ...reached(500), bytesTotal: null, rowsTotal: 10_000 },
        10,
        null,
      ),
      /^x: 50 %, 500 MB, /,
    );
  });

  test("on a narrow line the bar goes first, then the name; the figures stay", () => {
    const figures = "25 %, 250 MB of 1.0 GB, 2,500 rows, 250 rows/s, 30 s left";
    assert.equal(lineOf(84), `Importing a.zip [##......] ${figures}`);
    assert.equal(lineOf(78), `Importing a.zip: ${figures}`);
    assert.equal(lineOf(68), `Import...: ${figures}`);
    assert.equal(lineOf(60), figures);
  });

  test("shows nothing within the first second", () => {
    const { clock, progress, written } = watch({ isInteractive: true });
    progress.update(reached(1));
    clock.ms += 999;
    progress.update(reached(999));
    progress.note("building");
    progress[Symbol.dispose]();
    assert.deepEqual(written, []);
  });

  test("shows nothing within the first five seconds without a terminal", () => {
    const { clock, progress, written } = watch({ isInteractive: false });
    clock.ms += 4_999;
    progress.update(reached(999));
    progress.note("building");
    assert.deepEqual(written, []);
    clock.ms += 1;
    progress.note("building");
    assert.deepEqual(written, ["Importing a.zip: building\n"]);
  });

  test("on a terminal the line is redrawn at most ten times a second, and removed at the end", () => {
    const { clock, progress, written } = watch({ isInteractive: true });
    for (let step = 0; step < 200; step++) {
      clock.ms += 10;
      progress.update(reached(step));
    }
    assert.ok(
      written.length >= 9 && written.length <= 11,
      `${written.length} redraws in the second after the first`,
    );
    assert.ok(
      written.every((text) => text.startsWith("\r") && !text.includes("\n")),
    );
    progress[Symbol.dispose]();
    assert.equal(written.at(-1), "\r\u001b[K");
  });

  test("on a narrow terminal the line does not wrap", () => {
    const { clock, progress, written } = watch({
      isInteractive: true,
      columns: 40,
    });
    clock.ms += 2_000;
    progress.update(reached(500));
    assert.equal(
      written[0]?.replace("\r", "").replace("\u001b[K", "").length,
      39,
    );
  });

  test("without a terminal it prints a plain line every five seconds, without a bar", () => {
    const { clock, progress, written } = watch({ isInteractive: false });
    for (let step = 0; step < 120; step++) {
      clock.ms += 100;
      progress.update(reached(step));
    }
    progress[Symbol.dispose]();
    assert.equal(written.length, 2);
    assert.match(
      written[0] ?? "",
      /^Importing a\.zip: 4 %, .* rows\/s, .* left\n$/,
    );
  });
});
