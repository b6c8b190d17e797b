import {
  MAX_NOTED,
  type ComparedTexts,
  type NotedName,
  type NotedSpecialty,
  type ResultNotes,
} from "../contract/explorer/notes.ts";
import type { FilteredOperation } from "../contract/filters.ts";
import type { FilterValues } from "../contract/parameters/filter-schemas.ts";
import { lowerBound } from "../snapshot/bytes/sorted.ts";
import type { OtherNames } from "../snapshot/extended/other-names.ts";
import { itemsOf } from "../snapshot/postings/postings.ts";
import { Has } from "../snapshot/records/records.ts";
import { isoDate } from "../text/dates.ts";
import { fold, words } from "../text/fold.ts";
import { commonCodesOf } from "./aliases/common-specialties.ts";
import { aliasesOf } from "./aliases/first-name-aliases.ts";
import type { DetailsOfDocs } from "./details-of-docs.ts";
import type { ExactRule } from "./filters/exact-name.ts";
import { Tier, type TextFilter } from "./filters/text-filter.ts";
import { askedTexts, type AskedTexts } from "./plan/plan-query.ts";
import type { Planning } from "./plan/planning.ts";
import type { Hit } from "./query.ts";

/** The texts of a query and, for each result, what a page shows in addition to its entry. */
export interface PageNotes {
  readonly compared: ComparedTexts;
  readonly notes: readonly ResultNotes[];
}

/** Makes notes for a page of results. Other names and specialties are only noted if the query's scopes include them. */
export function notesOfPage(
  planning: Planning,
  details: DetailsOfDocs,
  operation: FilteredOperation,
  query: FilterValues,
  hits: readonly Hit[],
): PageNotes {
  const asked = askedTexts(planning, operation, query);
  const namesOf = otherNameFinder(planning, asked);
  const specialtiesOf = otherSpecialtyFinder(planning, asked);
  const { records } = planning.snapshot;
  const phones = details.phonesOf(hits.map(({ doc }) => doc));
  return {
    compared: comparedTexts(query, asked),
    notes: hits.map(({ doc }, index) => {
      records.open(doc);
      return {
        address_1: records.text(Has.address1),
        phone: phones[index] ?? null,
        deactivation_date: isoDate(records.day(Has.deactivationDate)),
        other_names: namesOf(doc),
        other_specialties: specialtiesOf(doc),
      };
    }),
  };
}

function comparedTexts(
  { first_name: first = "", name_aliases: aliases }: FilterValues,
  { taxonomy: { specialty, takesCommonWords } }: AskedTexts,
): ComparedTexts {
  const isCommon =
    takesCommonWords && specialty !== null && commonCodesOf(specialty) !== null;
  return {
    aliases: aliases === "true" ? aliasesOf(fold(first)) : [],
    specialty_words: isCommon ? [] : words(specialty ?? ""),
  };
}

/** One text of a query, for the record's name and for other names. */
interface ComparedName {
  readonly own: ExactRule;
  readonly other: ExactRule;
  readonly filters: readonly {
    readonly own: TextFilter;
    readonly other: TextFilter;
  }[];
}

/** Finds the other names that match a text exactly, if the record's name doesn't, or else in a better tier. */
function otherNameFinder(
  { nameFilters, snapshot }: Planning,
  { names: texts, widened }: AskedTexts,
): (doc: number) => NotedName[] {
  if (!widened.has("name_scope")) return () => [];
  const { others, own } = nameFilters;
  const { names } = snapshot.extended;
  if (names === null || others === null) return () => [];
  const compared = texts.map(({ filters, rule }) => ({
    own: rule(own),
    other: rule(others),
    filters: filters.map((make) => ({ own: make(own), other: make(others) })),
  }));
  return (doc) => {
    const { from, to } = names.ofDoc(doc);
    if (from === to) return [];
    const matches = compared.flatMap((text) => better(text, doc, from, to));
    return [...new Set(matches)]
      .sort((a, b) => a - b)
      .slice(0, MAX_NOTED)
      .map((name) => notedName(names, name));
  };
}

/** Finds the first other names of a document, of those numbered `from` to `to` - 1, that match better than its own. */
function better(
  { filters, other, own }: ComparedName,
  doc: number,
  from: number,
  to: number,
): number[] {
  if (own.has(doc)) return [];
  for (let name = from; name < to; name++) if (other.has(name)) return [name];
  const numbers = Uint32Array.from({ length: to - from }, (_, at) => from + at);
  return filters.flatMap((filter) => {
    const [ownTier] = tiersIn(filter.own, Uint32Array.of(doc));
    if (ownTier === Tier.wordPrefix) return [];
    const tiers = tiersIn(filter.other, numbers);
    const best = Math.min(...tiers);
    return best < ownTier! ? [from + tiers.indexOf(best)] : [];
  });
}

function tiersIn(filter: TextFilter, items: Uint32Array): Uint8Array {
  const tiers = new Uint8Array(items.length);
  filter.tiersOf(items, items.length, tiers);
  return tiers;
}

function notedName(names: OtherNames, at: number): NotedName {
  const { firstName, firstNames, lastNames, name, organizations } = names;
  const number = name[at]!;
  return number > lastNames.count
    ? {
        organization_name: organizations.spelling(number - lastNames.count),
        first: null,
        last: null,
      }
    : {
        organization_name: null,
        first: firstNames.spelling(firstName[at]!),
        last: lastNames.spelling(number),
      };
}

/** Finds the specialties of other slots that match, if the primary one doesn't. */
function otherSpecialtyFinder(
  { snapshot, taxonomyFilters }: Planning,
  { taxonomy, widened }: AskedTexts,
): (doc: number) => NotedSpecialty[] {
  const isAsked = taxonomy.code !== null || taxonomy.specialty !== null;
  if (!isAsked || !widened.has("taxonomy_scope")) return () => [];
  const { others, primary } = taxonomyFilters;
  const { slots } = snapshot.extended;
  if (slots === null || others === null) return () => [];
  const primaries = new Set(primary.numbers(taxonomy));
  const matching = others.numbers(taxonomy);
  return (doc) => {
    const matches: NotedSpecialty[] = [];
    if (primaries.has(snapshot.taxonomy[doc]!)) return matches;
    for (const number of matching) {
      const docs = itemsOf(slots.taxonomyDocs, number);
      if (docs[lowerBound(docs, doc)] !== doc) continue;
      matches.push({
        code: slots.taxonomies.spelling(number) ?? "",
        description: slots.taxonomyNames[number] ?? null,
      });
      if (matches.length === MAX_NOTED) break;
    }
    return matches;
  };
}
