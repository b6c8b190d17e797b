import { Type, type Static } from "typebox";
import type { RegistryParameter } from "./parameters.ts";
import { text } from "../schemas.ts";

/** The registry's errors, by number, with the texts that it sends. `{field}` is the parameter's name. */
export const REGISTRY_ERRORS = {
  "03": "Wildcards require at least two leading characters",
  "04": "No valid search criteria provided",
  "05": "Field contains special character(s) or wrong number of characters",
  "06": "NPI must be 10 digits",
  "07": "Field {field} requires additional search criteria",
  "09": "Enumeration_type requires additional search criteria",
  "14": "No taxonomy codes found with entered description",
  "17": "Unsupported Version",
} as const;
export type RegistryErrorNumber = keyof typeof REGISTRY_ERRORS;

/** The field of an error that is about no parameter. */
export const GENERIC_FIELD = "generic";

/** An error as the registry writes it, members in alphabetical order. */
export const RegistryError = Type.Object(
  {
    description: text("The registry's text."),
    field: text("The parameter, or `generic` if it is about none."),
    number: text("Two digits."),
  },
  {
    title: "RegistryError",
    description: "An error of the registry's own API.",
  },
);
export type RegistryError = Static<typeof RegistryError>;

/** Makes an error of the registry about a parameter. */
export function registryError(
  number: RegistryErrorNumber,
  field: RegistryParameter | typeof GENERIC_FIELD,
): RegistryError {
  const description = REGISTRY_ERRORS[number].replace("{field}", field);
  return { description, field, number };
}
