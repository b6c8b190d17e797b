/** Memory shared by threads, through which some wait until one of them opens it. */
export type Latch = Int32Array<SharedArrayBuffer>;

const OPEN = 1;

/** A closed latch. */
export function closedLatch(): Latch {
  return new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
}

export function openLatch(latch: Latch): void {
  Atomics.store(latch, 0, OPEN);
  Atomics.notify(latch, 0);
}

/** Blocks this thread until the latch is open. */
export function waitFor(latch: Latch): void {
  Atomics.wait(latch, 0, 0);
}
