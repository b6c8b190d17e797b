/** Adds the path to file system errors of reads and writes, which do not have it once the file is open. */
export function withPath<Result>(path: string, act: () => Result): Result {
  try {
    return act();
  } catch (error) {
    throw error instanceof Error && "syscall" in error && !("path" in error)
      ? Object.assign(error, { path })
      : error;
  }
}
