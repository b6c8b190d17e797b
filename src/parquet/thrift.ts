import type { ByteWriter } from "./byte-writer.ts";

/** Values in Thrift's compact protocol, as far as Parquet's metadata needs them. Numbers are whole and not negative. */

const ENCODER = new TextEncoder();
const SHORT_LIST = 15;

/** A value, with the number of its type. */
export interface Thrift {
  readonly type: number;
  write(out: ByteWriter): void;
}

export function i32(number: number): Thrift {
  return { type: 5, write: (out) => out.varint(number * 2) };
}

export function i64(number: number): Thrift {
  return { type: 6, write: (out) => out.varint(number * 2) };
}

export function binary(bytes: Uint8Array): Thrift {
  return {
    type: 8,
    write(out) {
      out.varint(bytes.length);
      out.raw(bytes);
    },
  };
}

export function text(value: string): Thrift {
  return binary(ENCODER.encode(value));
}

/** Makes a list of values that have the same type. */
export function list(items: readonly Thrift[]): Thrift {
  return {
    type: 9,
    write(out) {
      const { type } = items[0] ?? { type: 0 };
      out.byte((Math.min(items.length, SHORT_LIST) << 4) | type);
      if (items.length >= SHORT_LIST) out.varint(items.length);
      for (const item of items) item.write(out);
    },
  };
}

/** Makes a struct of fields by their ids, below 16 apart. Those that are undefined are left out. */
export function struct(
  fields: Readonly<Record<number, Thrift | undefined>>,
): Thrift {
  return {
    type: 12,
    write(out) {
      let last = 0;
      for (const [key, value] of Object.entries(fields)) {
        if (value === undefined) continue;
        const id = Number(key);
        out.byte(((id - last) << 4) | value.type);
        value.write(out);
        last = id;
      }
      out.byte(0);
    },
  };
}
