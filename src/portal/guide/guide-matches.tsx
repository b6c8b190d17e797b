import { useCallback, useMemo, useState } from "react";
import { shownGuidePages, type GuidePage } from "../../site/guide-pages.ts";
import { useConfig } from "../api/config.ts";
import { EmptyState } from "../components/empty-state.tsx";
import { FailureAlert } from "../components/failure-alert.tsx";
import { Skeleton } from "../components/elements.tsx";
import { counted } from "../format.ts";
import { Link, navigate } from "../shell/router.tsx";
import { loadDocument, useLoaded } from "./documents.ts";
import {
  findSections,
  MAX_MATCHES,
  sectionsOf,
  wordsOf,
  type GuideSection,
  type MarkedText,
  guideSearchPath,
} from "./guide-search.ts";
import styles from "./reading.module.css";
import { Field } from "../components/field.tsx";

/** Lists the sections of the guide that contain the words of a query. The first use loads all pages. */
export function GuideMatches({ query }: { readonly query: string }) {
  const { guide } = useConfig();
  const load = useCallback(() => loadSections(shownGuidePages(guide)), [guide]);
  const { hasFailed, value: sections } = useLoaded(load);
  const matches = useMemo(
    () => findSections(sections ?? [], query),
    [query, sections],
  );
  if (hasFailed)
    return (
      <FailureAlert
        failure={{ kind: "broken" }}
        onRetry={() => location.reload()}
      />
    );
  return (
    <>
      <p role="status" className={styles.count}>
        {sections === null
          ? "Searching …"
          : matches.length === MAX_MATCHES
            ? `The best ${MAX_MATCHES} sections`
            : counted(matches.length, "section")}
      </p>
      {sections === null && <Skeleton lines={24} />}
      {sections !== null &&
        matches.length === 0 &&
        (wordsOf(query).length > 1 ? (
          <EmptyState title="No section contains all these words.">
            Try fewer or shorter words.
          </EmptyState>
        ) : (
          <EmptyState title="No section contains this word.">
            Try a shorter or another word.
          </EmptyState>
        ))}
      <ol className={styles.matches}>
        {matches.map(({ excerpt, heading, href, page }) => (
          <li key={href}>
            <p className="fine">{page}</p>
            <Link href={href}>
              <Marked text={heading} />
            </Link>
            <p>
              <Marked text={excerpt} />
            </p>
          </li>
        ))}
      </ol>
    </>
  );
}

async function loadSections(
  pages: readonly GuidePage[],
): Promise<GuideSection[]> {
  const sections = await Promise.all(
    pages.map(async (page) => {
      const document = await loadDocument(page.name);
      return document === null ? [] : sectionsOf(page, document);
    }),
  );
  return sections.flat();
}

function Marked({ text: pieces }: { readonly text: MarkedText }) {
  return pieces.map(({ isMatch, text }, index) =>
    isMatch ? <mark key={index}>{text}</mark> : text,
  );
}

/** Searches the guide. On a page of the guide, Enter leads to what it finds. */
export function GuideSearchField({
  initial = "",
  onText,
}: {
  readonly initial?: string;
  /** Called with what is typed, where the matches are shown below the field. */
  readonly onText?: (text: string) => void;
}) {
  const [text, setText] = useState(initial);
  return (
    <form
      role="search"
      aria-label="Guide"
      className={styles.search}
      onSubmit={(event) => {
        event.preventDefault();
        if (onText === undefined) navigate(guideSearchPath(text.trim()));
      }}
    >
      <Field
        type="search"
        label="Search the guide"
        isLabelHidden
        placeholder="Search the guide"
        value={text}
        maxLength={200}
        autoComplete="off"
        spellCheck={false}
        onChange={({ target: { value } }) => {
          setText(value);
          onText?.(value);
        }}
      />
    </form>
  );
}
