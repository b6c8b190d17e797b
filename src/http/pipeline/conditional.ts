import { createHmac, hash } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import type { Directory } from "../../search/directory.ts";
import type { Validators } from "./headers.ts";

/**
 * Raise it with every change of what an answer looks like: the same snapshot then gets new tags, and no cache takes an
 * old answer for a current one.
 */
const REPRESENTATION = 1;

/** 96 bits: whoever guesses tags pays for an answer each time. */
const TAG_LENGTH = 16;

const ENTITY_TAG = /(?:W\/)?"([^"]*)"/g;

/**
 * Makes a function that gives the validators of the answer to a question, from one snapshot. Only who holds the secret can
 * compose a tag: it is a SHA-256 over a key of the snapshot and the question, of which too little is shown to go on
 * from. One call of `hash` takes 0.3 µs, a fifth of what an HMAC takes.
 */
export function validatorsBySnapshot(
  secret: Uint8Array,
): (data: Directory, key: string) => Validators {
  const known = new WeakMap<Directory, { key: string; lastModified: string }>();
  return function validatorsOf(data, key) {
    let snapshot = known.get(data);
    if (snapshot === undefined) {
      snapshot = {
        key: createHmac("sha256", secret)
          .update(`${REPRESENTATION} ${data.id}`)
          .digest("base64url"),
        lastModified: data.createdAt.toUTCString(),
      };
      known.set(data, snapshot);
    }
    return {
      tag: hash("sha256", snapshot.key + key, "base64url").slice(0, TAG_LENGTH),
      lastModified: snapshot.lastModified,
    };
  };
}

/**
 * Whether a 304 answers the request (RFC 9110, 13.1): `proven` by a tag, which the client can only have from an earlier
 * answer; or `claimed` by a condition that anybody can write, so that the 304 tells what it did not know. If-Modified-Since
 * counts without If-None-Match only, and has to name the very time: after a rollback, data with an earlier time are the
 * newer answer.
 */
export function holding(
  headers: IncomingHttpHeaders,
  { tag, lastModified }: Validators,
): "proven" | "claimed" | "none" {
  const match = headers["if-none-match"];
  if (match !== undefined) {
    if (isAny(match)) return "claimed";
    return namesTag(match, tag) ? "proven" : "none";
  }
  const since = headers["if-modified-since"];
  return since !== undefined && Date.parse(lastModified) === Date.parse(since)
    ? "claimed"
    : "none";
}

/** Whether an If-None-Match header is met by any tag. */
export function isAny(header: string): boolean {
  return header.trim() === "*";
}

/** Whether an If-None-Match header names a tag, by weak comparison (RFC 9110, 8.8.3.2): `W/` does not matter. */
export function namesTag(header: string, tag: string): boolean {
  for (const [, named] of header.matchAll(ENTITY_TAG)) {
    if (named === tag) return true;
  }
  return false;
}
