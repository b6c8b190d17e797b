import assert from "node:assert/strict";
import { test } from "node:test";
import { shownAlternatives } from "../../../src/portal/explorer/question/shown-alternatives.ts";
import { inventedDirectory } from "../../search/interpret/invented-registry.ts";

/** Sentences, and what the explorer says that they may mean as well. */
const PLAIN = `
smith, john
physical therapist 10001 within 5 miles
cardiologist chicago
chicago cardiologist
john smith
smith
jones
dentist near chicago
cardiologist 60601
family doctor near 94110
cardiologist in texas
chicago
Chicago, IL
60601
smith houston
john smith chicago
maria garcia
garcia, maria
brown, robert
mayo clinic
mayo clinic rochester mn
hospitals in texas
urgent care near houston tx
pharmacy 78701
dentists in philly
texas
california
georgia
nyc
doctors near 60601
miami dentist
obgyn austin tx
psychologist seattle
boston
dr nguyen
physical therapist near tampa
portland
dentist md
kansas city
cardiologist
houston
st. louis mo
paris
`;
const AMBIGUOUS: readonly (readonly [string, readonly object[]])[] = [
  ["jackson", [{ city: "jackson" }]],
  ["washington", [{ city: "washington" }, { name: "washington" }]],
  ["LA", [{ state: "LA" }]],
  ["pa", [{ state: "PA" }]],
  ["new york", [{ state: "NY" }]],
  ["charlotte", [{ name: "charlotte" }]],
  ["virginia", [{ name: "virginia" }]],
  // Nicknames find many times as many.
  [
    "bill johnson",
    [{ first_name: "bill", last_name: "johnson", name_aliases: "true" }],
  ],
  // No one is found.
  [
    "jhon smith",
    [
      { name: "john smith" },
      { first_name: "j", last_name: "smith" },
      { last_name: "smith" },
    ],
  ],
  [
    "lee, kimm",
    [
      { last_name: "lee", first_name: "kim", name_aliases: "true" },
      { first_name: "k", last_name: "lee" },
      { last_name: "lee" },
    ],
  ],
];

test("a plain sentence has no alternatives, an ambiguous one those that are about as likely", async () => {
  using directory = await inventedDirectory();
  const shown = (typed: string) =>
    shownAlternatives(directory.explore.interpreter.interpret(typed)).map(
      ({ filters }) => filters,
    );
  const plain = PLAIN.trim().split("\n");
  assert.deepEqual(
    plain.flatMap((typed) => (shown(typed).length > 0 ? [typed] : [])),
    [],
  );
  for (const [typed, expected] of AMBIGUOUS)
    assert.deepEqual(shown(typed), expected, typed);
});
