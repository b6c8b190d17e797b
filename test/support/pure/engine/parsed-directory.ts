import type {
  NearbyEntry,
  Provider,
  SearchEntry,
} from "../../../../src/contract/provider.ts";
import type { DetailPart } from "../../../../src/contract/detail-parts.ts";
import type { ExportFormat } from "../../../../src/contract/row-formats.ts";
import { rowFormat } from "../../../../src/search/render/row-formats.ts";
import type { Rows } from "../../../../src/search/render/rows.ts";
import { Directory } from "../../../../src/search/directory.ts";
import type {
  NearbyQuery,
  SearchQuery,
  WholeSearch,
} from "../../../../src/search/query.ts";

/** All slices that are left. */
export function* slicesOf(rows: Rows): Generator<Uint8Array> {
  for (let slice = rows.next(); slice !== null; slice = rows.next())
    yield slice;
}

/** A page of a search with the entries as objects. */
export interface SearchPage {
  total: number;
  entries: SearchEntry[];
}

/** A directory whose answers can be had as objects: what it renders, parsed. */
export class ParsedDirectory extends Directory {
  recordOf(npi: string): Provider | null {
    const record = this.lookup.find(npi);
    return (
      record && JSON.parse(this.lookup.rendering.renderRecord(record, {})).data
    );
  }

  found(query: SearchQuery): SearchPage {
    const { hits, total } = this.search.page(query);
    return {
      total,
      entries: JSON.parse(this.lookup.rendering.renderPage(hits, {})).data,
    };
  }

  /** All of a search as a file. */
  file(
    query: WholeSearch,
    format: ExportFormat,
    parts: readonly DetailPart[] = [],
  ): string {
    const rows = this.lookup.rows(
      this.search.all(query),
      rowFormat(format),
      parts,
    );
    return Buffer.concat(
      Array.from(slicesOf(rows), (slice) => Buffer.from(slice)),
    ).toString();
  }

  near(query: NearbyQuery): NearbyEntry[] {
    return JSON.parse(
      this.lookup.rendering.renderPage(this.nearby.page(query), {}),
    ).data;
  }
}
