import { Type, type TInteger } from "typebox";
import type { Page } from "../../../accounts/context.ts";
import { pageLinks, type QueryPairs } from "../../queries/query-string.ts";

/** The last page that can be asked for, so that no database counts further than it can. */
const LAST_PAGE = 1_000_000;

/** The parameters of a list under `/account`, of so many rows a page if nobody says how many. */
export function pageParameters(most: number): {
  limit: TInteger;
  page: TInteger;
} {
  return {
    limit: Type.Integer({
      minimum: 1,
      maximum: most,
      default: most,
      "x-rule": `a whole number from 1 to ${most}`,
    }),
    page: Type.Integer({
      minimum: 1,
      maximum: LAST_PAGE,
      default: 1,
      "x-rule": `a whole number from 1 to ${LAST_PAGE}`,
    }),
  };
}

/** What was asked for by `pageParameters`. */
interface Asked {
  readonly limit: number;
  readonly page: number;
}

/** The rows that a page has. */
export function rowsOf({ limit, page }: Asked): Page {
  return { limit, offset: (page - 1) * limit };
}

/** A page of such a list as it is answered: `meta` as searches have it, and the addresses of its neighbours. */
export function answerPage(
  path: string,
  pairs: QueryPairs,
  { limit, page }: Asked,
  { data, total }: { data: readonly unknown[]; total: number },
) {
  const lastPage = Math.max(1, Math.ceil(total / limit));
  const hasNext = page < lastPage;
  return {
    status: 200,
    data,
    meta: { count: data.length, page, limit, total },
    link: pageLinks(path, { pairs, page, hasNext, lastPage }),
  };
}
