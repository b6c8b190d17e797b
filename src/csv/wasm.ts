import { readFileSync } from "node:fs";

const PAGE_BYTES = 1 << 16;

/** The part of it that is used: only browsers' types have it. */
declare const WebAssembly: {
  readonly Memory: new (pages: { initial: number; maximum: number }) => {
    readonly buffer: ArrayBuffer;
  };
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (
    module: object,
    imports: { env: { memory: object } },
  ) => { readonly exports: never };
};

/** Memory that WebAssembly and JavaScript share. It never moves. */
export class WasmMemory {
  readonly buffer: ArrayBuffer;
  readonly memory: object;

  constructor(bytes: number) {
    const pages = Math.ceil(bytes / PAGE_BYTES);
    const memory = new WebAssembly.Memory({ initial: pages, maximum: pages });
    this.buffer = memory.buffer;
    this.memory = memory;
  }
}

/** A file that `tools/build-wasm.ts` made; compiled once. */
export class WasmModule<Exports> {
  readonly #url: URL;
  #module: object | null = null;

  constructor(url: URL) {
    this.#url = url;
  }

  /** Returns its functions, over a memory. */
  over({ memory }: WasmMemory): Exports {
    this.#module ??= new WebAssembly.Module(readFileSync(this.#url));
    const env = { memory };
    return new WebAssembly.Instance(this.#module, { env }).exports;
  }
}
