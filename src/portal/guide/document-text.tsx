import type { GuideSpan, GuideText } from "../../site/guide-document.ts";
import { guidePage } from "../../site/guide-pages.ts";
import { useConfig } from "../api/config.ts";
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
      return <DocumentLink link={span} />;
  }
}

/** A link within the guide or to another host. Of one to a page that this installation hides, only the text is left. */
function DocumentLink({
  link: { href, text },
}: {
  readonly link: Extract<GuideSpan, { readonly kind: "link" }>;
}) {
  const { guide } = useConfig();
  const [, page = null] = /^\/guide\/([a-z-]+)/.exec(href) ?? [];
  if (page !== null && guidePage(page, guide) === undefined)
    return <DocumentText text={text} />;
  return href.startsWith("/") ? (
    <Link href={href}>
      <DocumentText text={text} />
    </Link>
  ) : (
    <a href={href} rel="noreferrer">
      <DocumentText text={text} />
    </a>
  );
}
