import assert from "node:assert/strict";
import { test } from "node:test";
import type {
  ComparedTexts,
  ResultNotes,
} from "../../../src/contract/explorer/notes.ts";
import { startHttpService } from "../../support/service/http-service.ts";
import { portalParts } from "../../support/service/portal-parts.ts";

/** A taxonomy without a display name, in a secondary slot. */
const UNNAMED = "999X00000X";
const PLAIN = { other_names: [], other_specialties: [] };

test("lists say why each result was found, and what an office needs first", async () => {
  const portal = await portalParts({ explorer: "open", perSecond: 1_000 });
  await using service = await startHttpService({ portal });
  const notesOf = async (path: string): Promise<ResultNotes[]> =>
    (await service.ask({ url: `/explore/${path}` })).json().notes;
  const person = {
    address_1: "100 INVENTED AVE",
    phone: "3145550100",
    deactivation_date: null,
  };
  const other = {
    ...person,
    ...PLAIN,
    other_names: [{ organization_name: null, first: "MARIA", last: "EXAMPLE" }],
  };
  const secondary = {
    ...person,
    ...PLAIN,
    other_specialties: [{ code: UNNAMED, description: null }],
  };
  for (const [path, expected] of [
    ["search?zip=63101", { ...person, ...PLAIN }],
    // The record's name matches as well.
    ["search?name=maria&zip=63101&name_scope=any", { ...person, ...PLAIN }],
    ["search?name=example&zip=63101&name_scope=any", other],
    ["search?name=maria+example&zip=63101&name_scope=any", other],
    ["search?last_name=exam&zip=63101&name_scope=any", other],
    ["nearby?name=example&zip=63101&radius=1&name_scope=any", other],
    [`search?zip=63101&taxonomy=${UNNAMED}&taxonomy_scope=any`, secondary],
    [
      "search?zip=63101&specialty=family&taxonomy_scope=any",
      { ...person, ...PLAIN },
    ],
  ] as const)
    assert.deepEqual(await notesOf(path), [expected], path);
  assert.deepEqual(
    new Set(
      (await notesOf("search?status=deactivated")).map(
        ({ deactivation_date: date }) => date,
      ),
    ),
    new Set(["2019-06-30", "2020-02-01"]),
  );
});

test("lists say how nicknames and everyday words were compared", async () => {
  const portal = await portalParts({ explorer: "open", perSecond: 1_000 });
  await using service = await startHttpService({ portal });
  const comparedBy = async (query: string): Promise<ComparedTexts> =>
    (await service.ask({ url: `/explore/search?${query}` })).json().compared;
  assert.deepEqual(await comparedBy("first_name=bob&specialty=Nurse,%20x"), {
    aliases: [],
    specialty_words: ["NURSE", "X"],
  });
  const { aliases } = await comparedBy("first_name=bob&name_aliases=true");
  assert.ok(aliases.includes("ROBERT"));
  const common = "specialty_scope=common";
  assert.deepEqual(
    (await comparedBy(`specialty=eye+doctor&${common}`)).specialty_words,
    [],
  );
  assert.deepEqual(
    (await comparedBy(`specialty=zzz+zz&${common}`)).specialty_words,
    ["ZZZ", "ZZ"],
  );
});
