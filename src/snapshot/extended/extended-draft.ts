import { ADDRESS_TEXTS, BLOB } from "../../registry/details/detail-blob.ts";
import { isUsAddress, stateOf, zipOf } from "../../registry/rows/address.ts";
import { isMilitary } from "../../contract/states.ts";
import type { DetailsReader } from "../details/details-reader.ts";
import type { DetailsView } from "../details/details-view.ts";
import { AddressListDraft } from "./address-list.ts";
import { AreasDraft } from "./areas.ts";
import { OfficialsDraft } from "./officials.ts";
import { OtherLocationsDraft } from "./other-locations.ts";
import { OtherNamesDraft } from "./other-names.ts";
import type { RecordTexts } from "./doc-order.ts";
import { TaxonomySlotsDraft } from "./taxonomy-slots.ts";

/**
 * Receives what the extended index needs of providers. Texts are valid during the call; an empty one counts as none.
 */
export interface ExtendedSink {
  /** Starts a provider and returns its number. */
  provider(npi: number): number;
  readonly slots: Pick<TaxonomySlotsDraft, "add">;
  readonly names: Pick<OtherNamesDraft, "addOrganization" | "addPerson">;
  readonly locations: Pick<OtherLocationsDraft, "add">;
  readonly officials: Pick<OfficialsDraft, "add">;
  readonly areas: Pick<AreasDraft, "read">;
  readonly mailing: Pick<AddressListDraft, "add">;
  readonly secondary: Pick<AddressListDraft, "add">;
}

/** An extended index under construction. Providers are numbered from 0 in order of arrival. */
export class ExtendedDraft implements ExtendedSink {
  readonly slots = new TaxonomySlotsDraft();
  readonly names = new OtherNamesDraft();
  readonly locations = new OtherLocationsDraft();
  readonly officials = new OfficialsDraft();
  readonly areas = new AreasDraft();
  readonly mailing = new AddressListDraft("one");
  readonly secondary = new AddressListDraft("any");
  /** The number of providers. */
  count = 0;

  /** Frees memory after the last provider: while the snapshot is built, an import needs most. */
  close(): void {
    this.names.close();
    this.officials.close();
  }

  provider(): number {
    return this.count++;
  }
}

/** Feeds each provider of a details file to the extended index once. */
export function feedExtended(details: DetailsReader, sink: ExtendedSink): void {
  details.forEach((npi, view) => {
    const provider = sink.provider(npi);
    emitTaxonomies(view, provider, sink);
    emitNames(view, provider, sink);
    emitLocations(view, provider, sink);
    emitMailingAddress(view, provider, sink);
    emitOfficial(view, provider, sink);
  });
}

function emitTaxonomies(
  view: DetailsView,
  provider: number,
  { slots }: ExtendedSink,
): void {
  // One taxonomy is the primary one.
  const { count, number, text } = BLOB.taxonomies;
  if (!view.hasSeveral(number, count)) return;
  view.begin(number);
  while (view.next(count)) slots.add(provider, view, text.code);
}

function emitNames(
  view: DetailsView,
  provider: number,
  { names }: ExtendedSink,
): void {
  const { mainRowName: own, otherNames: others } = BLOB;
  const { "name.first": first, "name.last": last } = own.text;
  view.begin(own.number);
  while (view.next(own.count)) {
    names.addOrganization(provider, view, own.text.organization_name);
    names.addPerson(provider, view, last, first);
  }
  view.begin(others.number);
  while (view.next(others.count))
    names.addOrganization(provider, view, others.text.organization_name);
}

function emitLocations(
  view: DetailsView,
  provider: number,
  { areas, locations, secondary }: ExtendedSink,
): void {
  const { count, number } = BLOB.locations;
  view.begin(number);
  for (let index = 0; view.next(count); index++) {
    locations.add(provider, locatedZip(view), index);
    secondary.add(provider, areas.read(view));
  }
}

function emitMailingAddress(
  view: DetailsView,
  provider: number,
  { areas, mailing }: ExtendedSink,
): void {
  view.begin(BLOB.mailingAddress.number);
  if (view.next(ADDRESS_TEXTS)) mailing.add(provider, areas.read(view));
}

function emitOfficial(
  view: DetailsView,
  provider: number,
  { officials }: ExtendedSink,
): void {
  const { number, text } = BLOB.identity;
  const first = text["authorized_official.first"];
  const last = text["authorized_official.last"];
  // Texts of officials are the last ones, and most providers have none.
  if (!view.reaches(number, Math.min(first, last))) return;
  view.begin(number);
  if (view.next(Math.max(first, last) + 1))
    officials.add(provider, view, last, first);
}

/** Returns the ZIP of a location, or -1 for a foreign or military address, which has no location on the map. */
function locatedZip({ bytes, ends, starts }: RecordTexts): number {
  const { country, postal_code: postalCode, state } = BLOB.locations.text;
  const number = stateOf(bytes, starts[state]!, ends[state]!);
  return !isMilitary(number) &&
    isUsAddress(bytes, starts[country]!, ends[country]!, number)
    ? zipOf(bytes, starts[postalCode]!, ends[postalCode]!)
    : -1;
}
