/** The classes of bytes in a value. */
export const ByteClass = {
  none: 0,
  /** A value that starts or ends with it may mean something other than its bytes. */
  edge: 1,
  /** A value that consists only of such bytes may mean something other than its bytes. */
  only: 2,
} as const;
