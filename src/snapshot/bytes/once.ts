/** Returns what `make` returns, made at the first call and kept. If it throws, the next call tries again. */
export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | null = null;
  return () => (made ??= { value: make() }).value;
}

/** Makes an object whose members are made by these functions, each at its first use. */
export function lazily<T>(make: { readonly [K in keyof T]: () => T[K] }): T;
export function lazily(make: Readonly<Record<string, () => unknown>>): object {
  const made = {};
  for (const [member, makeMember] of Object.entries(make))
    Object.defineProperty(made, member, {
      enumerable: true,
      get: once(makeMember),
    });
  return made;
}

/**
 * Frees the memory of arrays at once and leaves them empty. The garbage collector would let columns of ten million
 * documents pile up first.
 */
export function release(...arrays: ArrayBufferView[]): void {
  for (const { buffer } of arrays)
    if (buffer instanceof ArrayBuffer && !buffer.detached) buffer.transfer(0);
}
