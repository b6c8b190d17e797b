import { Fragment } from "react";

/** Paragraphs with `code`, as in the OpenAPI document's descriptions. */
export function Prose({ text }: { readonly text: string }) {
  return text.split("\n\n").map((paragraph, index) => (
    <p key={index}>
      <InlineCode text={paragraph} />
    </p>
  ));
}

/** Shows a sentence with `code`. */
export function InlineCode({ text }: { readonly text: string }) {
  return text
    .split("`")
    .map((part, index) =>
      index % 2 === 1 ? (
        <code key={index}>{part}</code>
      ) : (
        <Fragment key={index}>{part}</Fragment>
      ),
    );
}
