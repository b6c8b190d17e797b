import {
  type OpenApi,
  type Schema,
  schemaOf,
  type Reference,
} from "./openapi.ts";
import { InlineCode } from "./prose.tsx";
import styles from "./reference.module.css";

/** Lists the fields of an object. The fields of nested objects are collapsed. */
export function SchemaFields({
  document,
  schema,
}: {
  readonly document: OpenApi;
  readonly schema: Schema;
}) {
  return (
    <dl className={styles.facts}>
      {Object.entries(schema.properties ?? {}).map(([name, value]) => {
        const inner = objectSchemaOf(document, value);
        const own: Schema = "$ref" in value ? {} : value;
        return (
          <div key={name}>
            <dt>
              <code>{name}</code>{" "}
              <span className="fine">{typeText(document, value)}</span>
              {schema.required?.includes(name) !== true && (
                <span className="fine"> optional</span>
              )}
            </dt>
            <dd>
              {own.description !== undefined && (
                <p>
                  <InlineCode text={own.description} />
                </p>
              )}
              {own.enum === undefined && <Limits schema={own} />}
              {inner !== null && (
                <details>
                  <summary>
                    Fields of <code>{name}</code>
                  </summary>
                  <SchemaFields document={document} schema={inner} />
                </details>
              )}
            </dd>
          </div>
        );
      })}
    </dl>
  );
}

export function Limits({ schema }: { readonly schema: Schema }) {
  const limits = limitTexts(schema);
  if (limits.length === 0) return null;
  return (
    <p className="fine">
      <InlineCode text={limits.join("; ")} />
    </p>
  );
}

/** Describes a value's type: "integer or null", "array of SearchEntry". */
export function typeText(document: OpenApi, value: Schema | Reference): string {
  const schema = schemaOf(document, value);
  if (schema.anyOf !== undefined)
    return schema.anyOf.map((each) => typeText(document, each)).join(" or ");
  if (schema.title !== undefined) return schema.title;
  if (schema.items !== undefined)
    return `array of ${typeText(document, schema.items)}`;
  const { type = "any" } = schema;
  return typeof type === "string" ? type : type.join(" or ");
}

/** Lists the limits of a value, such as "at most 500". */
function limitTexts({
  default: byDefault,
  enum: values,
  exclusiveMinimum,
  maximum,
  maxLength,
  minimum,
  pattern,
}: Schema): string[] {
  return [
    ...(values === undefined
      ? []
      : [`one of ${values.map((value) => `\`${value}\``).join(", ")}`]),
    ...(exclusiveMinimum === undefined ? [] : [`above ${exclusiveMinimum}`]),
    ...(minimum === undefined ? [] : [`at least ${minimum}`]),
    ...(maximum === undefined || maximum === Number.MAX_SAFE_INTEGER
      ? []
      : [`at most ${maximum}`]),
    ...(maxLength === undefined ? [] : [`at most ${maxLength} characters`]),
    ...(pattern === undefined ? [] : [`matches \`${pattern}\``]),
    ...(byDefault === undefined ? [] : [`default ${byDefault}`]),
  ];
}

/** Finds the object schema of a value: its own, its items', or that of an `anyOf` alternative. */
export function objectSchemaOf(
  document: OpenApi,
  value: Schema | Reference,
): Schema | null {
  const schema = schemaOf(document, value);
  if (schema.properties !== undefined) return schema;
  const inner = [
    ...(schema.items === undefined ? [] : [schema.items]),
    ...(schema.anyOf ?? []),
  ];
  for (const each of inner) {
    const found = objectSchemaOf(document, each);
    if (found !== null) return found;
  }
  return null;
}
