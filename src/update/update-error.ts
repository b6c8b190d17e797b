/** An update cannot continue. The message tells the operator what is wrong and what to do. */
export class UpdateError extends Error {
  override readonly name = "UpdateError";
}
