/** An update that cannot go on. The message is one sentence for the operator: what is wrong, what to do. */
export class UpdateError extends Error {
  override readonly name = "UpdateError";
}
