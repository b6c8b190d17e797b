import assert from "node:assert/strict";
import { describe, it } from "node:test";
import * as fc from "fast-check";
import { ByteInterner } from "../../src/snapshot/bytes/byte-interner.ts";
import { BitSet } from "../../src/snapshot/bytes/bitset.ts";
import { groupItems, itemsOf } from "../../src/snapshot/postings/postings.ts";
import {
  groupStarts,
  orderByGroup,
  orderByKey,
} from "../../src/snapshot/bytes/radix-sort.ts";
import { lowerBound } from "../../src/snapshot/bytes/sorted.ts";
import { sortByBytes } from "../../src/snapshot/bytes/string-sort.ts";
import { varintBytes, writeVarint } from "../../src/snapshot/bytes/varint.ts";

const alike = fc
  .array(fc.constantFrom("a", "b", "é", "\0"), { maxLength: 12 })
  .map((letters) => letters.join(""));

describe("the byte interner", () => {
  it("numbers each distinct string in order of first occurrence; the empty string is 0", () => {
    fc.assert(
      fc.property(fc.array(alike), (texts) => {
        const interner = new ByteInterner();
        const numbers = texts.map((text) =>
          interner.intern(Buffer.from(text), 0, Buffer.byteLength(text)),
        );
        const distinct = [...new Set(texts.filter((text) => text !== ""))];
        assert.deepEqual(
          numbers,
          texts.map((text) => distinct.indexOf(text) + 1),
        );
        assert.equal(interner.size, distinct.length + 1);
      }),
    );
  });

  it("reads only the string, not the bytes after it", () => {
    const interner = new ByteInterner();
    for (let length = 1; length <= 20; length++) {
      const text = "ABCDEFGHIJKLMNOPQRST".slice(0, length);
      const numbers = ["", "UVWX", "\0\0\0\0"].map((behind) =>
        interner.intern(Buffer.from(text + behind), 0, length),
      );
      assert.deepEqual(numbers, [length, length, length]);
    }
  });

  it("keeps the strings while it grows", () => {
    const interner = new ByteInterner();
    const numbers = Array.from({ length: 20_000 }, (_, i) =>
      interner.intern(Buffer.from(`name ${i}`), 0, `name ${i}`.length),
    );
    assert.equal(interner.size, 20_001);
    const { arena, offsets } = interner;
    for (const i of [0, 1, 9_999, 19_999]) {
      const number = numbers[i]!;
      assert.equal(
        Buffer.from(
          arena.subarray(offsets[number], offsets[number + 1]),
        ).toString(),
        `name ${i}`,
      );
    }
  });
});

describe("sorting strings by their bytes", () => {
  it("agrees with comparing buffers", () => {
    fc.assert(
      fc.property(fc.uniqueArray(alike, { maxLength: 200 }), (texts) => {
        const arena = Buffer.from(texts.join(""));
        const offsets = new Uint32Array(texts.length + 1);
        texts.forEach(
          (text, index) =>
            (offsets[index + 1] = offsets[index]! + Buffer.byteLength(text)),
        );
        const ids = new Uint32Array(texts.length).map((_, index) => index);
        sortByBytes(ids, arena, offsets);
        const sorted = texts
          .map((text) => Buffer.from(text))
          .sort((a, b) => Buffer.compare(a, b));
        assert.deepEqual(
          Array.from(ids, (id) => texts[id]),
          sorted.map((bytes) => bytes.toString()),
        );
      }),
    );
  });
});

describe("sorting numbers", () => {
  it("orders indexes by key, stably, over all 32 bits", () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.nat(3), fc.integer({ min: 0, max: 0xffffffff }))),
        (keys) => {
          const expected = keys
            .map((_, index) => index)
            .sort((a, b) => keys[a]! - keys[b]! || a - b);
          assert.deepEqual(
            [...orderByKey(Uint32Array.from(keys), keys.length)],
            expected,
          );
        },
      ),
    );
  });

  it("orders items by group and keeps their order within one", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(5), { minLength: 1 }), (groups) => {
        const groupOf = Uint32Array.from(groups);
        const items = groupOf.map((_, index) => index).reverse();
        const expected = Array.from(items).sort(
          (a, b) => groups[a]! - groups[b]! || b - a,
        );
        assert.deepEqual(
          [...orderByGroup(items, groupOf, groupStarts(items, groupOf, 6))],
          expected,
        );
      }),
    );
  });
});

describe("postings", () => {
  it("list the items of each number, ascending, and none for 0", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(6)), (numbers) => {
        const postings = groupItems(Uint32Array.from(numbers), 6);
        for (let number = 1; number <= 6; number++) {
          const expected = numbers.flatMap((each, item) =>
            each === number ? [item] : [],
          );
          assert.deepEqual([...itemsOf(postings, number)], expected);
        }
        assert.equal(
          postings.items.length,
          numbers.filter((number) => number !== 0).length,
        );
      }),
    );
  });
});

function setOf(numbers: readonly number[]): BitSet {
  return BitSet.of(1001, Uint32Array.from(numbers));
}

describe("a set of numbers", () => {
  it("contains what was added and lists it in order", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(300)), (numbers) => {
        const set = BitSet.of(301, Uint32Array.from(numbers));
        assert.deepEqual(
          [...set.toArray()],
          [...new Set(numbers)].sort((a, b) => a - b),
        );
        for (let number = 0; number <= 300; number++)
          assert.equal(set.has(number), numbers.includes(number));
      }),
    );
  });

  it("counts, lists, removes and compares as lists of numbers do", () => {
    const runs = fc
      .tuple(fc.nat(1000), fc.nat(400))
      .map(([from, size]) =>
        Array.from({ length: Math.min(size, 1001 - from) }, (_, i) => from + i),
      );
    const members = fc
      .tuple(fc.uniqueArray(fc.nat(1000)), runs)
      .map(([some, run]) => Array.from(new Set(some.concat(run))));
    fc.assert(
      fc.property(
        members,
        members,
        fc.nat(1001),
        fc.nat(1001),
        fc.nat(20),
        (some, others, from, to, skip) => {
          const sorted = some.toSorted((a, b) => a - b);
          const inside = sorted.filter((n) => n >= from && n < to);
          assert.equal(setOf(some).count(from, to), inside.length);
          assert.deepEqual(
            setOf(some).slice(from, to, skip, 7),
            inside.slice(skip, skip + 7),
          );

          const left = setOf(some);
          left.removeRange(from, to);
          assert.deepEqual(
            [...left.toArray()],
            sorted.filter((n) => !inside.includes(n)),
          );
          const both = setOf(some);
          both.intersect(setOf(others));
          assert.deepEqual(
            [...both.toArray()],
            sorted.filter((n) => others.includes(n)),
          );
          const common = setOf(others);
          assert.equal(
            common.assignCommon([setOf(some), both, common]),
            both.toArray().length,
          );
          assert.deepEqual(common.toArray(), both.toArray());
          const rest = setOf(some);
          rest.subtract(setOf(others));
          assert.deepEqual(
            [...rest.toArray()],
            sorted.filter((n) => !others.includes(n)),
          );
          both.copy(setOf(some));
          assert.deepEqual([...both.toArray()], sorted);
          both.forget(Uint32Array.from(some), 0, some.length);
          assert.equal(both.count(0, 1001), 0);
        },
      ),
    );
  });

  it("intersects up to five sets that are larger than a block, and lists few members of many", () => {
    const number = fc.oneof(
      fc.nat(200),
      fc.integer({ min: 524_200, max: 524_400 }),
      fc.integer({ min: 1_048_500, max: 1_048_700 }),
    );
    const members = fc.array(number, { maxLength: 300 });
    const sizes = fc.integer({ min: 1_048_701, max: 1_048_900 });
    fc.assert(
      fc.property(
        fc.array(members, { minLength: 1, maxLength: 5 }),
        sizes,
        (each, size) => {
          const sets = each.map((numbers) =>
            BitSet.of(size, Uint32Array.from(numbers)),
          );
          const common = [...new Set(each[0])]
            .filter((one) => each.every((numbers) => numbers.includes(one)))
            .sort((a, b) => a - b);
          const target = new BitSet(size);
          assert.equal(target.assignCommon(sets), common.length);
          assert.deepEqual([...target.toArray(common.length + 3)], common);
          assert.equal(sets[0]!.assignCommon(sets), common.length);
          assert.deepEqual([...sets[0]!.toArray()], common);
        },
      ),
      { numRuns: 50 },
    );
  });
});

describe("looking up in sorted numbers", () => {
  it("finds the first value that is not less", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(50)), fc.nat(60), (numbers, value) => {
        const sorted = numbers.sort((a, b) => a - b);
        assert.equal(
          lowerBound(Uint32Array.from(sorted), value),
          sorted.filter((each) => each < value).length,
        );
      }),
    );
  });
});

describe("varints", () => {
  it("encode seven bits per byte, low bits first", () => {
    const bytes = new Uint8Array(8);
    assert.equal(writeVarint(bytes, 1, 300), 3);
    assert.deepEqual([...bytes.subarray(1, 3)], [0xac, 0x02]);
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 0xffffffff }), (value) => {
        assert.equal(writeVarint(bytes, 0, value), varintBytes(value));
      }),
    );
  });
});
