/** What a member of a body must be. */
export interface Member {
  /** "a text of up to 60 characters" */
  readonly mustBe: string;
  readonly fits: (text: string) => boolean;
  /** What holds where it is not given; without it, it has to be. */
  readonly otherwise?: string;
}

export type Body<Name extends string> =
  | {
      readonly outcome: "read";
      /** A member's text. */
      readonly member: (name: Name) => string;
    }
  /** A sentence for the client. */
  | { readonly outcome: "refused"; readonly message: string };

/**
 * Reads a body of texts. Unknown members are refused, not overlooked: whoever sends a plan or a role shall not believe
 * that it was taken.
 */
export function readBody<Name extends string>(
  text: string | undefined,
  known: Readonly<Record<Name, Member>>,
): Body<Name> {
  const given = parse(text ?? "{}");
  if (given === null) return refused("The body is not a JSON object.");
  for (const name of Object.keys(given)) {
    if (!Object.hasOwn(known, name))
      return refused(
        `The body has an unknown member ${JSON.stringify(name.slice(0, 40))}; it takes ${Object.keys(known).join(", ") || "none"}.`,
      );
  }
  const texts = new Map<string, string>();
  for (const [name, { fits, mustBe, otherwise }] of Object.entries<Member>(
    known,
  )) {
    const value = given[name] ?? otherwise;
    if (typeof value !== "string" || !fits(value))
      return refused(`The body's "${name}" must be ${mustBe}.`);
    texts.set(name, value);
  }
  return { outcome: "read", member: (name) => texts.get(name) ?? "" };
}

function refused(message: string): { outcome: "refused"; message: string } {
  return { outcome: "refused", message };
}

function parse(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? { ...value }
      : null;
  } catch {
    return null;
  }
}
