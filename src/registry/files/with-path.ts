/** Adds the path to file system errors of reads and writes, which do not have it once the file is open. */
export function withPath<Result>(path: string, act: () => Result): Result {
  try {
    return act();
  } catch (error) {
    throw error instanceof Error && "path" in error
      ? error
      : namedAs(error, path);
  }
}

/** A file system error with another path, such as the name that an unfinished file gets in the end. */
export function namedAs(error: unknown, path: string): unknown {
  return error instanceof Error && "syscall" in error
    ? Object.assign(error, { path })
    : error;
}

/** Finds the error that came first, if closing a file or database then failed, too. */
export function firstFault(error: unknown): unknown {
  return error instanceof SuppressedError
    ? firstFault(error.suppressed)
    : error;
}
