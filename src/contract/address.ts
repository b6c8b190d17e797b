import { Type } from "typebox";
import type { Static } from "typebox";
import { nullableText } from "./nullable.ts";

/** A postal address. Null means that the registry has no value. */
export const Address = Type.Object(
  {
    address_1: nullableText("Null if the registry lists none."),
    address_2: nullableText("Null if there is none."),
    city: nullableText("As published."),
    state: nullableText(
      "Two letters for a U.S. address; otherwise as published, or null.",
    ),
    postal_code: nullableText(
      "As published, not reformatted: `627011234`, `62701-1234` or `62701`.",
    ),
    country: nullableText("Two-letter country code."),
  },
  { title: "Address", description: "A practice location." },
);

export type Address = Static<typeof Address>;
