/** A registry file that cannot be read at all. The message is one sentence for the operator: what is wrong, what to do. */
export class RegistryFileError extends Error {
  override readonly name = "RegistryFileError";
}
