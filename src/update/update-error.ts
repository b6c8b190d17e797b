/** An update cannot continue. The message says what is wrong and what to do. */
export class UpdateError extends Error {
  override readonly name = "UpdateError";
}
