/** A registry file that cannot be read. The message says what is wrong and what to do. */
export class RegistryFileError extends Error {
  override readonly name = "RegistryFileError";
}

/** Makes the error for a file that the operating system cannot read. */
export function unreadable(path: string, error: unknown): RegistryFileError {
  const code =
    error instanceof Error && "code" in error
      ? String(error.code)
      : String(error);
  const [how, advice] =
    code === "ENOENT"
      ? ["does not exist", "Check the path"]
      : code === "EACCES" || code === "EPERM"
        ? ["cannot be read: permission denied", "Check its permissions"]
        : [
            `cannot be read (${code})`,
            "Check the disk, or copy the file again",
          ];
  return new RegistryFileError(`${path} ${how}. ${advice}.`, { cause: error });
}

/** Makes the error for a damaged zip. */
export function damagedZip(
  path: string,
  how: string,
  cause?: unknown,
): RegistryFileError {
  return new RegistryFileError(
    `${path} is a damaged zip: ${how}. Download it again.`,
    { cause },
  );
}

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

/** Gives a file system error another path, such as the name that an unfinished file gets in the end. */
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
