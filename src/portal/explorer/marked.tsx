import { naturalCase, type NameKind } from "../../text/natural-case.ts";
import {
  mergeRanges,
  type ComparableName,
  type Matcher,
  type MatchRange,
} from "./matches.ts";

/** Marks the matched parts of a text. */
export function Marked({
  ranges,
  text,
}: {
  readonly text: string;
  readonly ranges: readonly MatchRange[];
}) {
  const merged = mergeRanges(ranges);
  return (
    <>
      {merged.map(([from, to], index) => (
        <span key={from}>
          {text.slice(merged[index - 1]?.[1] ?? 0, from)}
          <mark>{text.slice(from, to)}</mark>
        </span>
      ))}
      {text.slice(merged.at(-1)?.[1] ?? 0)}
    </>
  );
}

/** Marks the matched parts of an organization's name, or of the first, middle, and last name of a person. */
export function MarkedName({
  matcher,
  middle = null,
  name,
}: {
  readonly name: ComparableName;
  /** Of a record; other names have none. */
  readonly middle?: string | null;
  readonly matcher: Matcher;
}) {
  const ranges = matcher.inName(name);
  if (name.organization !== null)
    return (
      <MarkedNatural
        text={name.organization}
        kind="organization"
        ranges={ranges.organization}
      />
    );
  const parts = [
    { part: "first", text: name.first, ranges: ranges.first },
    {
      part: "middle",
      text: middle,
      ranges: matcher.inMiddleName(middle ?? ""),
    },
    { part: "last", text: name.last, ranges: ranges.last },
  ].filter(({ text }) => Boolean(text));
  return parts.map(({ part, ranges: inPart, text }, index) => (
    <span key={part}>
      {index > 0 && " "}
      <MarkedNatural text={text ?? ""} kind="person" ranges={inPart} />
    </span>
  ));
}

/** Marks a text in natural capitals, which leave each letter where it is. */
function MarkedNatural({
  kind,
  ranges,
  text,
}: {
  readonly text: string;
  readonly kind: NameKind;
  readonly ranges: readonly MatchRange[];
}) {
  return <Marked text={naturalCase(text, kind)} ranges={ranges} />;
}
