import { JsonRenderer } from "./json-renderer.ts";
import type { SnapshotView } from "../../snapshot/snapshot.ts";
import type { JsonText } from "./json-text.ts";
import type { Renderer } from "./renderer.ts";

/** What pages of documents can be written in. */
export interface Format {
  /** As `Accept` names it. */
  readonly mediaType: string;
  /** As answers name it. */
  readonly contentType: string;
  /** A renderer of one snapshot's documents. */
  make(source: SnapshotView, out: JsonText): Renderer;
}

export const JSON_FORMAT: Format = {
  mediaType: "application/json",
  contentType: "application/json; charset=utf-8",
  make: (source, out) => new JsonRenderer(source, out),
};

/** The formats for clients that name them. */
export const OTHER_FORMATS: readonly Format[] = [];
