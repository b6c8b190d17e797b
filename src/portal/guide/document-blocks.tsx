import {
  type GuideBlock,
  type GuideHeading,
  type GuideTable,
  plainText,
  type GuideSpan,
  type GuideText,
} from "../../site/guide-document.ts";
import { CodeBlock, CodeSamples } from "../components/code-tabs.tsx";
import styles from "./reading.module.css";
import { guidePage } from "../../site/guide-pages.ts";
import { useConfig } from "../api/config.ts";
import { Link } from "../shell/router.tsx";

const LANGUAGES: Readonly<Record<string, string>> = {
  sh: "curl",
  ts: "TypeScript",
  python: "Python",
};

/** The most columns that fit side by side. */
const MAX_COLUMNS = 4;

/** Shows the blocks of a document. `codeOf` may replace the example origin in code. */
export function DocumentBlocks({
  blocks,
  codeOf,
}: {
  readonly blocks: readonly GuideBlock[];
  readonly codeOf: (code: string) => string;
}) {
  return blocks.map((block, index) => (
    <Block key={index} block={block} codeOf={codeOf} />
  ));
}

function Block({
  block,
  codeOf,
}: {
  readonly block: GuideBlock;
  readonly codeOf: (code: string) => string;
}) {
  switch (block.kind) {
    case "heading":
      return <Heading heading={block} />;
    case "paragraph":
      return (
        <p>
          <DocumentText text={block.text} />
        </p>
      );
    case "code":
      return <CodeBlock code={codeOf(block.code)} />;
    case "samples":
      return (
        <CodeSamples
          label={block.label}
          samples={block.samples.map(({ code, language }) => ({
            name: LANGUAGES[language] ?? language,
            code: codeOf(code),
          }))}
        />
      );
    case "list": {
      const List = block.isOrdered ? "ol" : "ul";
      return (
        <List>
          {block.items.map((item, index) => (
            <li key={index}>
              <DocumentBlocks blocks={item} codeOf={codeOf} />
            </li>
          ))}
        </List>
      );
    }
    case "picture":
      return (
        <img
          className={styles.documentPicture}
          src={block.file}
          alt={block.text}
          {...block.size}
          loading="lazy"
        />
      );
    default:
      return block.columns.length > MAX_COLUMNS ? (
        <DocumentEntries table={block} />
      ) : (
        <DocumentTable table={block} />
      );
  }
}

function Heading({ heading: { id, level, text } }: { heading: GuideHeading }) {
  const Level = level === 2 ? "h2" : "h3";
  return (
    <Level id={id} tabIndex={-1} className={styles.anchored}>
      <DocumentText text={text} />{" "}
      <a
        className={styles.anchor}
        href={`#${id}`}
        aria-label={`Link to ${plainText(text)}`}
      >
        <span aria-hidden="true">#</span>
      </a>
    </Level>
  );
}

/** Shows a table that is too wide for a page: each row is a list of its cells. */
function DocumentEntries({
  table: { columns, label, rows },
}: {
  readonly table: GuideTable;
}) {
  return (
    <ul className={styles.entries} aria-label={label}>
      {rows.map(([title = [], ...cells], index) => (
        <li key={index}>
          <p className={styles.entryTitle}>
            <DocumentText text={title} />
          </p>
          <dl>
            {cells.map((cell, at) =>
              cell.length === 0 ? null : (
                <div key={at}>
                  <dt>
                    <DocumentText text={columns[at + 1]?.title ?? []} />
                  </dt>
                  <dd>
                    <DocumentText text={cell} />
                  </dd>
                </div>
              ),
            )}
          </dl>
        </li>
      ))}
    </ul>
  );
}

function DocumentTable({
  table: { columns, label, rows },
}: {
  readonly table: GuideTable;
}) {
  return (
    <div className="table-frame" role="group" aria-label={label} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {columns.map(({ isNumber, title }, index) => (
              <th
                key={index}
                scope="col"
                className={isNumber ? "number" : undefined}
              >
                <DocumentText text={title} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={index}>
              {row.map((cell, column) => (
                <td
                  key={column}
                  className={
                    columns[column]?.isNumber === true ? "number" : undefined
                  }
                >
                  <DocumentText text={cell} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Shows text with links, code and emphasis. */
function DocumentText({ text }: { readonly text: GuideText }) {
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

/** The paths of pages for users with accounts. */
const ACCOUNT_PATH = /^\/(sign-|settings)/;

/** Links within the portal or to another host. For a page that this installation hides, only the text is left. */
function DocumentLink({
  link: { href, text },
}: {
  readonly link: Extract<GuideSpan, { readonly kind: "link" }>;
}) {
  const { guide, sign_up: hasSignUp } = useConfig();
  const [, page = null] = /^\/guide\/([a-z-]+)/.exec(href) ?? [];
  const isHidden =
    (page !== null && guidePage(page, guide) === undefined) ||
    (!hasSignUp && ACCOUNT_PATH.test(href));
  if (isHidden) return <DocumentText text={text} />;
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
