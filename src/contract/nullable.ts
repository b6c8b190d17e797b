import { Type } from "typebox";
import type {
  Static,
  TObject,
  TProperties,
  TSchemaOptions,
  TUnsafe,
} from "typebox";

/** A nullable string in OpenAPI 3.1: a list of types. */
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
