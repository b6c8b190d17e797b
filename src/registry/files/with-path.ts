/** Reads or writes a file; the system's error then names it, which it does not once the file is open. */
export function withPath<Result>(path: string, act: () => Result): Result {
  try {
    return act();
  } catch (error) {
    throw error instanceof Error && "syscall" in error && !("path" in error)
      ? Object.assign(error, { path })
      : error;
  }
}
