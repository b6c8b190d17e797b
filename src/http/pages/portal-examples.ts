import type { Directory } from "../../search/directory.ts";
import type { PortalExample } from "../../site/portal-config.ts";

/** What users type, by kind, the best known place first. The first of a kind that finds anyone is an example. */
const SENTENCES: readonly (readonly string[])[] = [
  [
    "Cardiologist near 60601",
    "Family doctor near 10001",
    "Nurse practitioner near 62701",
  ],
  ["John Smith in Chicago", "Dr. Garcia in Texas", "Smith in California"],
];

const known = new WeakMap<Directory, readonly PortalExample[]>();

/** What a user could type to find providers of this data: at most one sentence of each kind, and an NPI. */
export function portalExamples(data: Directory): readonly PortalExample[] {
  const before = known.get(data);
  if (before !== undefined) return before;
  const npi = data.exampleNpi();
  const examples = [...SENTENCES, [`NPI ${npi}`]].flatMap((sentences) => {
    for (const text of sentences) {
      const { filters, operation, total } = data.interpreter.interpret(text);
      if (operation !== null && total > 0)
        return [{ text, operation, filters }];
    }
    return [];
  });
  known.set(data, examples);
  return examples;
}
