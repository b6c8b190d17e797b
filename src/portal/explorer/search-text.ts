import {
  FILTERS,
  isFilter,
  isScope,
  NAME_KINDS,
  NEARBY_PLACE,
  withComparison,
} from "../../contract/filters.ts";
import { stateName } from "../../contract/states.ts";
import { typed } from "../../site/page-titles.ts";
import { naturalCase, typedCase } from "../../text/natural-case.ts";
import {
  DEFAULT_RADIUS_MILES,
  type ExplorerSearch,
} from "./explorer-search.ts";

/** A filter of a search, for users. */
export interface FilterText {
  /** The parameters that it stands for: they are removed together. */
  readonly names: readonly string[];
  /** `Specialty` */
  readonly label: string;
  /** `cardiologist` */
  readonly value: string;
}

const TYPES: ReadonlyMap<string, string> = new Map([
  ["individual", "individuals"],
  ["organization", "organizations"],
]);
/** The label of a scope. */
const ALSO = "Also";
const CODES = new Set(["middle_initial", "state", "taxonomy"]);
/** Parameters that belong to another one. */
const PARTS = new Set([
  "lat",
  "lng",
  "limit",
  "name_aliases",
  "page",
  "place",
  "radius",
  "specialty_scope",
]);

/** Lists the filters of a search, in the order of its address. A place with its distance is one. */
export function filterTexts(search: ExplorerSearch): FilterText[] {
  const { kind, parameters } = search;
  const filters: FilterText[] = [];
  if (kind === "nearby")
    filters.push({
      names: ["place", ...NEARBY_PLACE],
      label: parameters.has("zip") || parameters.has("lat") ? "Near" : "Within",
      value: placeText(search),
    });
  for (const [name, value] of parameters) {
    if (!isFilter(name) || PARTS.has(name)) continue;
    if (kind === "nearby" && name === "zip") continue;
    filters.push(filterText(name, value, parameters));
  }
  // What widens a search comes last.
  return filters.sort(
    (a, b) => Number(a.label === ALSO) - Number(b.label === ALSO),
  );
}

/** Writes a search in words: `smith, cardiologist, near 60601`. Empty if it has no filters. */
export function searchText(search: ExplorerSearch): string {
  return filterTexts(search).map(filterInWords).join(", ");
}

const PLACES: ReadonlySet<string> = new Set(["city", "state", "zip"]);

/** True if a filter is a place to look in, other than the place of a nearby search. */
export function isPlace({ names: [name = ""] }: FilterText): boolean {
  return PLACES.has(name);
}

function isNear({ names }: FilterText): boolean {
  return names.includes("radius");
}

/** Writes places to look in: `Chicago, IL`, or a state by itself in full. */
export function placesInWords(places: readonly FilterText[]): string {
  const [only, ...others] = places;
  const name = only?.names[0] === "state" ? stateName(only.value) : null;
  return name !== null && others.length === 0
    ? naturalCase(name, "city")
    : places.map(({ value }) => value).join(", ");
}

/** Writes a search as users say it: `J. Smith in Texas`, or `Smith in all states` if it has no place and another one has. */
export function searchInWords(
  search: ExplorerSearch,
  other: ExplorerSearch,
): string {
  const filters = filterTexts(search);
  const near = filters.filter(isNear);
  const places = filters.filter(
    (each) => near.length === 0 && !isNear(each) && isPlace(each),
  );
  const others = filters.filter(
    (each) => !near.includes(each) && !places.includes(each),
  );
  const isElsewhere =
    near.length + places.length === 0 &&
    filterTexts(other).some((each) => isNear(each) || isPlace(each));
  return [
    wantedTexts(others, search).join(", ") || "All providers",
    ...near.map(filterInWords),
    ...(places.length > 0 ? [`in ${placesInWords(places)}`] : []),
    ...(isElsewhere ? ["in all states"] : []),
  ].join(" ");
}

/** Writes filters in words, a first and a last name as one: `J. Smith`. */
function wantedTexts(
  filters: readonly FilterText[],
  { parameters }: ExplorerSearch,
): string[] {
  const valueOf = (name: string): string =>
    typedCase(parameters.get(name) ?? "", "person");
  const [first, last] = [valueOf("first_name"), valueOf("last_name")];
  const isPair = first !== "" && last !== "";
  const also = parameters.get("name_aliases") === "true" ? " or nicknames" : "";
  return filters.flatMap((each) => {
    if (isPair && each.names.includes("first_name")) return [];
    return isPair && each.names.includes("last_name")
      ? [`${first.length === 1 ? `${first}.` : first} ${last}${also}`]
      : [filterInWords(each)];
  });
}

/** Returns the label of whom a search finds, to distinguish a name from a specialty: `name`. */
export function kindInWords(search: ExplorerSearch): string {
  const wanted = filterTexts(search).find(
    (each) => !isNear(each) && !isPlace(each),
  );
  return wanted?.label.toLowerCase() ?? "place";
}

/** Labels without which the value says nothing. */
const SAID = new Set([
  "Near",
  "Within",
  FILTERS.middle_initial.label,
  FILTERS.last_updated_since.label,
]);

/** Writes a filter in words: `cardiologist`, `near 60601, 25 miles`. */
export function filterInWords({
  label,
  value,
}: Pick<FilterText, "label" | "value">): string {
  return SAID.has(label) ? `${label.toLowerCase()} ${value}` : value;
}

function filterText(
  name: keyof typeof FILTERS,
  value: string,
  parameters: ReadonlyMap<string, string>,
): FilterText {
  if (isScope(name) && value === "any")
    return {
      names: [name],
      label: ALSO,
      value: FILTERS[name].any.label.toLowerCase(),
    };
  const { label } = FILTERS[name];
  return {
    names: withComparison(name),
    label,
    value: valueText(name, value, parameters),
  };
}

function valueText(
  name: keyof typeof FILTERS,
  value: string,
  parameters: ReadonlyMap<string, string>,
): string {
  const kind = NAME_KINDS.get(name);
  const text = kind === undefined ? value : typedCase(value, kind);
  if (name === "first_name" && parameters.get("name_aliases") === "true")
    return `${text} or nicknames`;
  if (name === "entity_type") return TYPES.get(value) ?? value;
  return CODES.has(name) ? value.toUpperCase() : text;
}

function placeText({ parameters }: ExplorerSearch): string {
  const miles = parameters.get("radius") ?? DEFAULT_RADIUS_MILES;
  const distance = `${miles} ${miles === "1" ? "mile" : "miles"}`;
  const zip = parameters.get("zip");
  if (zip !== undefined) {
    // Nothing checks this name, and others can write it into a link.
    const place = typed(parameters.get("place") ?? null);
    const center = place === "" ? zip : `${place} (${zip})`;
    return `${center}, ${distance}`;
  }
  return parameters.has("lat") ? `a point on the map, ${distance}` : distance;
}
