import type {
  NearbyEntry,
  Provider,
  SearchEntry,
} from "../../../src/contract/provider.ts";
import { Directory } from "../../../src/search/directory.ts";
import type { NearbyQuery, SearchQuery } from "../../../src/search/query.ts";

/** A page of a search with the entries as objects. */
export interface SearchPage {
  total: number;
  entries: SearchEntry[];
}

/** A directory whose answers can be had as objects: what it renders, parsed. */
export class ParsedDirectory extends Directory {
  lookup(npi: string): Provider | null {
    const record = this.find(npi);
    return record && JSON.parse(this.renderRecord(record, {})).data;
  }

  search(query: SearchQuery): SearchPage {
    const { hits, total } = this.searchHits(query);
    return { total, entries: JSON.parse(this.renderPage(hits, {})).data };
  }

  nearby(query: NearbyQuery): NearbyEntry[] {
    return JSON.parse(this.renderPage(this.nearbyHits(query), {})).data;
  }
}
