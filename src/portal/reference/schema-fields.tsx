import type { OpenApi, Schema } from "./openapi.ts";
import { InlineCode } from "./prose.tsx";
import { limitTexts, objectSchemaOf, typeText } from "./schema-text.ts";
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
