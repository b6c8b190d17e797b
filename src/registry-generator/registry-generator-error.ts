/** What was asked for cannot be made. The message is one sentence for the person who asked: what is wrong, what to do. */
export class RegistryGeneratorError extends Error {
  override readonly name = "RegistryGeneratorError";
}
