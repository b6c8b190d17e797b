import { JsonRenderer } from "./json-renderer.ts";
import type { SnapshotView } from "../../snapshot/snapshot.ts";
import type { JsonText } from "./json-text.ts";
import type { Renderer } from "./renderer.ts";

/** A format for pages of documents. */
export interface Format {
  /** Name in `Accept`. */
  readonly mediaType: string;
  /** Name in answers. */
  readonly contentType: string;
  /** Creates a renderer of one snapshot's documents. */
  make(source: SnapshotView, out: JsonText): Renderer;
}

export const JSON_FORMAT: Format = {
  mediaType: "application/json",
  contentType: "application/json; charset=utf-8",
  make: (source, out) => new JsonRenderer(source, out),
};

/** The formats other than JSON, which clients must request. */
export const OTHER_FORMATS: readonly Format[] = [];
