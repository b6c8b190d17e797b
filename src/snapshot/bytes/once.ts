/** What `make` returns, made at the first call and kept. If it throws, the next call tries again. */
export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | null = null;
  return () => (made ??= { value: make() }).value;
}
