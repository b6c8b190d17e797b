import assert from "node:assert/strict";
import { describe, it } from "node:test";
import * as fc from "fast-check";
import { ByteCopier } from "../../src/text/byte-copier.ts";

describe("copying bytes", () => {
  it("copies the range and nothing else, wherever the arrays and ranges start", () => {
    const place = fc.nat(9);
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 40 }),
        fc.tuple(place, place, place, place),
        (bytes, [sourceOffset, start, targetOffset, to]) => {
          const source = new Uint8Array(
            Uint8Array.from([
              ...Array(sourceOffset + start).fill(7),
              ...bytes,
              7,
              7,
            ]).buffer,
            sourceOffset,
          );
          const memory = new SharedArrayBuffer(80);
          new Uint8Array(memory).fill(9);
          const target = new Uint8Array(memory, targetOffset);
          const copier = new ByteCopier();
          // The second copy uses what the first one remembered.
          copier.copy(source, start, start, target, to);
          copier.copy(source, start, start + bytes.length, target, to);
          assert.deepEqual(
            [...new Uint8Array(memory)],
            [
              ...Array(targetOffset + to).fill(9),
              ...bytes,
              ...Array(80 - targetOffset - to - bytes.length).fill(9),
            ],
          );
        },
      ),
    );
  });
});
