import { hash } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import type { ProviderData } from "./deps.ts";
import type { HeaderList } from "./header-list.ts";

/**
 * Raise it with every change of what an answer looks like: the same snapshot then gets new tags, and no cache takes an
 * old answer for a current one.
 */
const REPRESENTATION = 1;

const ENTITY_TAG = /(?:W\/)?"([^"]*)"/g;

/** What tells one answer from another: its tag without quotes, and its snapshot's time. */
export interface Validators {
  readonly tag: string;
  readonly lastModified: string;
}

/** Makes a function that gives the validators of the answer to a question, from one snapshot. */
export function validatorsBySnapshot(): (
  data: ProviderData,
  question: string,
) => Validators {
  const known = new WeakMap<ProviderData, Validators>();
  return function validatorsOf(data, question) {
    let snapshot = known.get(data);
    if (snapshot === undefined) {
      snapshot = {
        tag: `${REPRESENTATION}-${encodeURIComponent(data.id)}-`,
        lastModified: data.createdAt.toUTCString(),
      };
      known.set(data, snapshot);
    }
    return {
      tag: snapshot.tag + question,
      lastModified: snapshot.lastModified,
    };
  };
}

/** A short stand-in for a query in a tag. */
export function questionOf(query: unknown): string {
  return hash("sha1", JSON.stringify(query), "base64url");
}

/** The headers with which an answer taken from the data can be kept and asked for again. */
export function cacheHeaders({ tag, lastModified }: Validators): HeaderList {
  return [
    "etag",
    `W/"${tag}"`,
    "last-modified",
    lastModified,
    "cache-control",
    "private",
    "vary",
    "Authorization, Accept-Encoding",
  ];
}

/**
 * Whether the client holds the answer already (RFC 9110, 13.1). If-Modified-Since counts without If-None-Match only, and
 * has to name the very time: after a rollback, data with an earlier time are the newer answer.
 */
export function isHeld(
  headers: IncomingHttpHeaders,
  { tag, lastModified }: Validators,
): boolean {
  const match = headers["if-none-match"];
  if (match !== undefined) return namesTag(match, tag);
  const since = headers["if-modified-since"];
  return since !== undefined && Date.parse(lastModified) === Date.parse(since);
}

/** Whether an If-None-Match header names a tag, by weak comparison (RFC 9110, 8.8.3.2): `W/` does not matter. */
export function namesTag(header: string, tag: string): boolean {
  if (header.trim() === "*") return true;
  for (const [, named] of header.matchAll(ENTITY_TAG)) {
    if (named === tag) return true;
  }
  return false;
}
