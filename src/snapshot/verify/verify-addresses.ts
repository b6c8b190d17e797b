import type { AddressList } from "../extended/address-list.ts";
import type { Areas } from "../extended/areas.ts";
import type { Addresses } from "../extended/extended-index.ts";
import type { Officials } from "../extended/officials.ts";
import { areAscending, areListsOf, isSorted } from "./verify-structures.ts";

/** Claims about addresses, each with whether it is true; `count` is the number of documents. */
export function addressClaims(
  { areas, mailing, secondary, unusual }: Addresses,
  count: number,
): Record<string, boolean> {
  const lists = [mailing, secondary, unusual].filter((list) => list !== null);
  return {
    "areas are ordered by state, city, ZIP and country": areasAreOrdered(areas),
    "the orders of areas by city and by ZIP are right":
      isOrder(areas.byCity, areas.areas.city) &&
      isOrder(areas.byZip, areas.areas.zip),
    "the dictionaries of areas are ordered by folded value": [
      areas.countries,
      areas.states,
      areas.cities,
      areas.postalCodes,
    ].every(isSorted),
    "the address lists match their areas": lists.every((list) =>
      isListRight(list, areas, count),
    ),
  };
}

export function officialClaims(
  {
    firstName,
    firstNameDocs,
    firstNames,
    lastNames,
    name,
    nameDocs,
    owners,
  }: Officials,
  count: number,
): Record<string, boolean> {
  return {
    "authorized officials are ordered by document": areAscending(owners, count),
    "the names of authorized officials are ordered by folded value":
      isSorted(lastNames) && isSorted(firstNames),
    "the lists of authorized officials match their names":
      areListsOf(nameDocs, name) && areListsOf(firstNameDocs, firstName),
  };
}

function areasAreOrdered({ areas, count }: Areas): boolean {
  const { city, country, state, zip } = areas;
  for (let at = 1; at < count; at++) {
    const order =
      state[at - 1]! - state[at]! ||
      city[at - 1]! - city[at]! ||
      zip[at - 1]! - zip[at]! ||
      country[at - 1]! - country[at]!;
    if (order >= 0) return false;
  }
  return true;
}

/** Whether an order has all indexes of its keys, by key and then by index. */
function isOrder(order: Uint32Array, keys: Uint32Array): boolean {
  for (let at = 1; at < order.length; at++) {
    const [before, index] = [order[at - 1]!, order[at]!];
    if ((keys[before]! - keys[index]! || before - index) >= 0) return false;
  }
  return order.every((index) => index < keys.length);
}

function isListRight(
  { area, byArea, owners }: AddressList,
  areas: Areas,
  count: number,
): boolean {
  return (
    (owners === null ? area.length === count : areAscending(owners, count)) &&
    area.every((number) => number <= areas.count) &&
    areListsOf(byArea, area)
  );
}
