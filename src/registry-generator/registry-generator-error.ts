/** The requested data cannot be generated. The message says what is wrong and what to do. */
export class RegistryGeneratorError extends Error {
  override readonly name = "RegistryGeneratorError";
}
