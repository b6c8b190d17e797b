import { checkNpi, npiAsTyped } from "../../../registry/npi.ts";

/** The NPI if that is all that was typed; else null. */
export function typedNpi(text: string): string | null {
  const npi = npiAsTyped(text);
  return checkNpi(npi) === "ok" ? npi : null;
}
