/** A parsed document of the guide. It has no HTML, so its content can only be text. */
export interface GuideDocument {
  readonly title: string;
  readonly blocks: readonly GuideBlock[];
}

export type GuideBlock =
  | GuideHeading
  | { readonly kind: "paragraph"; readonly text: GuideText }
  | GuideCode
  /** The same in several languages. */
  | {
      readonly kind: "samples";
      /** For screen readers; unique in a document. */
      readonly label: string;
      readonly samples: readonly GuideCode[];
    }
  | {
      readonly kind: "list";
      readonly isOrdered: boolean;
      readonly items: readonly (readonly GuideBlock[])[];
    }
  | GuideTable
  | GuidePicture;

export interface GuideHeading {
  readonly kind: "heading";
  readonly level: 2 | 3;
  /** GitHub's anchor, so that links work there and here. */
  readonly id: string;
  readonly text: GuideText;
}

export interface GuideCode {
  readonly kind: "code";
  readonly language: string;
  readonly code: string;
}

export interface GuideTable {
  readonly kind: "table";
  /** For screen readers; unique in a document. */
  readonly label: string;
  readonly columns: readonly {
    readonly title: GuideText;
    readonly isNumber: boolean;
  }[];
  readonly rows: readonly (readonly GuideText[])[];
}

export interface GuidePicture {
  readonly kind: "picture";
  /** Its path below `docs`, or its URL in the built portal. */
  readonly file: string;
  /** The alternative text. */
  readonly text: string;
  readonly size: PictureSize;
}

/** In pixels. */
export interface PictureSize {
  readonly width: number;
  readonly height: number;
}

export type GuideText = readonly GuideSpan[];

export type GuideSpan =
  | string
  | { readonly kind: "code"; readonly code: string }
  | { readonly kind: "strong" | "em"; readonly text: GuideText }
  /** Within the guide (`/guide/errors#invalid_npi`, `#order`), or to another host. */
  | { readonly kind: "link"; readonly href: string; readonly text: GuideText };

/** Returns the text without its formatting. */
export function plainText(text: GuideText): string {
  return text
    .map((span) =>
      typeof span === "string"
        ? span
        : span.kind === "code"
          ? span.code
          : plainText(span.text),
    )
    .join("");
}
