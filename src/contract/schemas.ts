import { Type } from "typebox";
import type {
  Static,
  TObject,
  TProperties,
  TSchema,
  TSchemaOptions,
  TUnsafe,
} from "typebox";
import type { Member, MemberValues, Shape } from "./provider-fields.ts";

/** Describes an object without other members. */
export function strict<P extends TProperties>(properties: P): TObject<P> {
  return Type.Object(properties, { additionalProperties: false });
}

export function text(description: string) {
  return Type.String({ description });
}

export function whole(description: string) {
  return Type.Integer({ description });
}

export function decimal(description: string) {
  return Type.Number({ description });
}

export function trueOrFalse(description: string) {
  return Type.Boolean({ description });
}

/** Describes a nullable string in OpenAPI 3.1: a list of types. */
export function nullableText(description: string): TUnsafe<string | null> {
  return Type.Unsafe<string | null>({ type: ["string", "null"], description });
}

export function nullable<P extends TProperties>(
  object: TObject<P>,
  description: string,
): TUnsafe<Static<TObject<P>> | null> {
  const options: TSchemaOptions = {
    ...object,
    type: ["object", "null"],
    description,
  };
  return Type.Unsafe<Static<TObject<P>> | null>(options);
}

const CODED = Type.Object({
  code: Type.String({ description: "The registry's code." }),
  description: nullableText("What the code means; null if unknown."),
});

type SchemaOf<S extends Shape> = TObject<{
  [Name in keyof S["members"]]: TUnsafe<MemberValues<S["members"]>[Name]>;
}>;

/** Makes the schema of a shape in the table of fields. */
export function schemaOf<S extends Shape>(shape: S): SchemaOf<S>;
export function schemaOf({ description, members, title }: Shape): TSchema {
  const schemas = Object.entries(members).map(
    ([name, member]) => [name, memberSchema(member)] as const,
  );
  return Type.Object(Object.fromEntries(schemas), { title, description });
}

function memberSchema(member: Member): TSchema {
  const { description, kind } = member;
  switch (kind) {
    case "object":
      return nullable(schemaOf(member.of), description);
    case "code":
      return nullable(CODED, description);
    case "key":
      return Type.String({ description });
    case "flag":
      return Type.Boolean({ description });
    case "yes_no":
      return Type.Unsafe({ type: ["boolean", "null"], description });
    default:
      return nullableText(description);
  }
}
