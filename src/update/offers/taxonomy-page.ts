import { fileNameOf, linksAt } from "../http/links.ts";
import type { RequestContext } from "../http/request.ts";
import { redactedUrl } from "../http/source.ts";
import { UpdateError } from "../update-error.ts";

/** NUCC's table of taxonomy codes as CSV. */
export interface OfferedTaxonomy {
  kind: "taxonomy";
  name: string;
  /** An http, https or file URL. */
  url: URL;
  /** In tenths: 261 for version 26.1, 91 for 9.1. */
  version: number;
}

const CSV = /^nucc_taxonomy_(\d{2,3})\.csv$/i;
const CSV_ANYWHERE = /\bnucc_taxonomy_(\d{2,3})\.csv\b/i;

/** Finds the newest taxonomy on a page or in a folder. Throws UpdateError if there is none. */
export async function readTaxonomyPage(
  source: URL,
  context: RequestContext,
): Promise<OfferedTaxonomy> {
  const offered = (await linksAt(source, context)).flatMap(
    (url): OfferedTaxonomy[] => {
      const name = fileNameOf(url);
      const version = CSV.exec(name)?.[1];
      return version === undefined
        ? []
        : [{ kind: "taxonomy", name, url, version: Number(version) }];
    },
  );
  const [newest] = offered.toSorted((a, b) => b.version - a.version);
  if (newest !== undefined) return newest;
  throw new UpdateError(
    `${redactedUrl(source)} has no taxonomy file such as nucc_taxonomy_261.csv. Set --taxonomy-source to the page where NUCC links to its CSVs, to a folder with one, or to none.`,
  );
}

/** Reads the version in a snapshot's `taxonomySource`, in tenths, or null. */
export function taxonomyVersionOf(taxonomySource: string): number | null {
  const digits = CSV_ANYWHERE.exec(taxonomySource)?.[1];
  return digits === undefined ? null : Number(digits);
}
