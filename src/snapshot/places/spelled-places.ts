import { ByteInterner } from "../bytes/byte-interner.ts";

/** The city's number in four bytes, and in four the ZIP plus one and above it the state's number. */
const KEY_BYTES = 8;
const ZIP_BITS = 17;
const ZIP_MASK = (1 << ZIP_BITS) - 1;

/**
 * Numbers, from 1, the distinct (state, spelling of a city, ZIP) of rows: all that a row says of its place is one number.
 * Several of them may be one place of the snapshot, where cities are told apart by what their spellings are compared as.
 */
export class SpelledPlaces {
  readonly #interner = new ByteInterner();
  readonly #key = new Uint8Array(KEY_BYTES);
  readonly #keyView = new DataView(this.#key.buffer);

  /** How many numbers are given, counting 0, which stands for nothing at all. */
  get size(): number {
    return this.#interner.size;
  }

  /** The number of a state's number, a city's spelling by its number, and a ZIP plus one; each is 0 for none. */
  number(state: number, city: number, zip: number): number {
    if (state === 0 && city === 0 && zip === 0) return 0;
    this.#keyView.setUint32(0, city, true);
    this.#keyView.setUint32(4, (state << ZIP_BITS) | zip, true);
    return this.#interner.intern(this.#key, 0, KEY_BYTES);
  }

  /** Per number the state, the city and the ZIP. */
  columns(): { state: Uint8Array; city: Uint32Array; zip: Uint32Array } {
    const { arena, size } = this.#interner;
    const view = new DataView(arena.buffer, arena.byteOffset);
    const state = new Uint8Array(size);
    const city = new Uint32Array(size);
    const zip = new Uint32Array(size);
    for (let place = 1; place < size; place++) {
      const at = (place - 1) * KEY_BYTES;
      const stateAndZip = view.getUint32(at + 4, true);
      city[place] = view.getUint32(at, true);
      state[place] = stateAndZip >>> ZIP_BITS;
      zip[place] = stateAndZip & ZIP_MASK;
    }
    return { state, city, zip };
  }

  /** Gives back the memory that only `number` needs, which must not be called any more. */
  close(): void {
    this.#interner.close();
  }
}
