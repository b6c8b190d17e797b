import { matchingOf, type WordSearch } from "../queries/matching.ts";
import { nearbyPage, smallerRadii } from "../queries/nearby-sql.ts";
import {
  ALL_SQL,
  RECORD_SQL,
  type Matching,
  type Statement,
} from "../queries/page-sql.ts";
import {
  ALL_LIMIT,
  PAGE_LIMIT,
  type Answer,
  type Nearby,
  type Question,
} from "../queries/question.ts";

export type Row = Record<string, unknown>;

/** How one database differs from the rest. */
export interface Peer {
  run(statement: Statement): Row[] | Promise<Row[]>;
  /** The total and the page of what matches. */
  find(matching: Matching): Promise<Answer>;
  findWords(parts: readonly string[]): WordSearch;
  /** The join of `near` and the providers (`nearbyPage`). */
  nearby(also: string): string;
  /** True if a smaller circle than the one asked for is worth a try. */
  startsSmall(question: Nearby): boolean;
}

export async function askPeer(peer: Peer, question: Question): Promise<Answer> {
  switch (question.kind) {
    case "npi": {
      const npis = npisOf(
        await peer.run({ sql: RECORD_SQL, values: [Number(question.npi)] }),
      );
      return { total: npis.length, npis };
    }
    case "all": {
      const end = question.page * ALL_LIMIT;
      return answerOf(
        await peer.run({ sql: ALL_SQL, values: [end - ALL_LIMIT, end] }),
      );
    }
    case "nearby":
      return { total: null, npis: await nearby(peer, question) };
    default:
      return peer.find(matchingOf(question, (parts) => peer.findWords(parts)));
  }
}

/**
 * Circles that grow up to the one asked for: a page that a smaller one fills needs no larger one, as there is no total.
 */
async function nearby(peer: Peer, question: Nearby): Promise<number[]> {
  const inCircle = async (circle: Nearby) =>
    npisOf(await peer.run(nearbyPage(circle, (also) => peer.nearby(also))));
  const smaller = peer.startsSmall(question)
    ? smallerRadii(question.radiusMiles)
    : [];
  for (const radiusMiles of smaller) {
    const npis = await inCircle({ ...question, radiusMiles });
    if (npis.length === PAGE_LIMIT) return npis;
  }
  return inCircle(question);
}

/** The answer in the rows of a page; `total` is a column of each. */
export function answerOf(rows: readonly Row[]): Answer {
  return {
    total: rows.length === 0 ? 0 : Number(rows[0]?.["total"]),
    npis: npisOf(rows),
  };
}

export function npisOf(rows: readonly Row[]): number[] {
  return rows.map(({ npi }) => Number(npi));
}
