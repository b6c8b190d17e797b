import type { GuideSpan, GuideText } from "../../site/guide-document.ts";
import { Link } from "../shell/router.tsx";

/** Text with links, code and emphasis. */
export function DocumentText({ text }: { readonly text: GuideText }) {
  return text.map((span, index) => <Span key={index} span={span} />);
}

function Span({ span }: { readonly span: GuideSpan }) {
  if (typeof span === "string") return span;
  switch (span.kind) {
    case "code":
      return <code>{span.code}</code>;
    case "strong":
      return (
        <strong>
          <DocumentText text={span.text} />
        </strong>
      );
    case "em":
      return (
        <em>
          <DocumentText text={span.text} />
        </em>
      );
    default:
      return span.href.startsWith("/") ? (
        <Link href={span.href}>
          <DocumentText text={span.text} />
        </Link>
      ) : (
        <a href={span.href} rel="noreferrer">
          <DocumentText text={span.text} />
        </a>
      );
  }
}
