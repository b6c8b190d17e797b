import { isUsAddress, stateOf, zipOf } from "../../registry/rows/address.ts";
import {
  BlobSection,
  LOCATION_TEXTS,
  LocationText,
  OTHER_NAME_TEXTS,
  OtherNameText,
  OWN_NAME_TEXTS,
  OwnNameText,
  TAXONOMY_TEXTS,
  TaxonomyText,
} from "../../registry/details/detail-blob.ts";
import { isMilitary } from "../../contract/states.ts";
import {
  SCOPE_PARTS,
  type ScopeSink,
  type ScopeSource,
} from "./scope-source.ts";
import type { DetailsReader } from "../details/details-reader.ts";
import type { DetailsView } from "../details/details-view.ts";

/** What a details file has to widen searches with; with "own", what the last import brought of it. */
export function scopesOf(
  details: DetailsReader,
  which: "all" | "own" = "all",
): ScopeSource {
  const { parts } = details.metadata;
  return {
    parts: new Set(SCOPE_PARTS.filter((part) => parts.includes(part))),
    forEach(sink) {
      details.forEach((npi, view) => {
        sink.provider(npi);
        tellTaxonomies(view, sink);
        tellNames(view, sink);
        tellLocations(view, sink);
      }, which);
    },
  };
}

function tellTaxonomies(view: DetailsView, sink: ScopeSink): void {
  const { bytes, ends, starts } = view;
  view.begin(BlobSection.taxonomies);
  while (view.next(TAXONOMY_TEXTS))
    sink.taxonomy(bytes, starts[TaxonomyText.code]!, ends[TaxonomyText.code]!);
}

function tellNames(view: DetailsView, sink: ScopeSink): void {
  const { bytes, ends, starts } = view;
  view.begin(BlobSection.ownOtherName);
  while (view.next(OWN_NAME_TEXTS)) {
    sink.organization(
      bytes,
      starts[OwnNameText.organization]!,
      ends[OwnNameText.organization]!,
    );
    sink.person(
      bytes,
      starts[OwnNameText.last]!,
      ends[OwnNameText.last]!,
      starts[OwnNameText.first]!,
      ends[OwnNameText.first]!,
    );
  }
  view.begin(BlobSection.otherNames);
  while (view.next(OTHER_NAME_TEXTS))
    sink.organization(
      bytes,
      starts[OtherNameText.name]!,
      ends[OtherNameText.name]!,
    );
}

function tellLocations(view: DetailsView, sink: ScopeSink): void {
  view.begin(BlobSection.locations);
  while (view.next(LOCATION_TEXTS)) sink.location(locatedZip(view));
}

/** The ZIP of a location, as far as it tells a place: not that of a foreign or a military address; -1 for none. */
function locatedZip({ bytes, ends, starts }: DetailsView): number {
  const { country, postalCode, state } = LocationText;
  const number = stateOf(bytes, starts[state]!, ends[state]!);
  return !isMilitary(number) &&
    isUsAddress(bytes, starts[country]!, ends[country]!, number)
    ? zipOf(bytes, starts[postalCode]!, ends[postalCode]!)
    : -1;
}
