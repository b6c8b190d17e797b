/** Finds sections of the guide by words. */
import {
  plainText,
  type GuideBlock,
  type GuideDocument,
} from "../../site/guide-document.ts";
import type { GuidePage } from "../../site/guide-pages.ts";
import { PAGE_PATHS } from "../../site/page-paths.ts";

/** A part of a page: what is below one of its headings, or before the first. */
export interface GuideSection {
  readonly page: string;
  /** The heading; the page's title before the first one. */
  readonly heading: string;
  readonly href: string;
  readonly text: string;
}

/** A text in pieces, of which some are what was searched for. */
export type MarkedText = readonly {
  readonly text: string;
  readonly isMatch: boolean;
}[];

export interface GuideMatch extends Pick<GuideSection, "page" | "href"> {
  readonly heading: MarkedText;
  readonly excerpt: MarkedText;
}

export const MAX_MATCHES = 30;
const MAX_WORDS = 8;
const MAX_WORD_LENGTH = 60;
const EXCERPT_LENGTH = 180;
/** Text before the first match of an excerpt. */
const EXCERPT_BEFORE = 50;

/** The worth of a match by its place. */
const IN_HEADING = 12;
const IN_PAGE_TITLE = 4;
const AT_WORD_START = 3;

/** Divides a page into its sections, with their anchors. */
export function sectionsOf(
  { name, title }: GuidePage,
  { blocks }: GuideDocument,
): GuideSection[] {
  const sections: { heading: string; href: string; texts: string[] }[] = [
    { heading: title, href: guidePath(name), texts: [] },
  ];
  for (const block of blocks)
    if (block.kind === "heading")
      sections.push({
        heading: plainText(block.text),
        href: `${guidePath(name)}#${block.id}`,
        texts: [],
      });
    else sections.at(-1)?.texts.push(...textsOf(block));
  return sections
    .filter(({ heading, texts }) => texts.length > 0 || heading !== title)
    .map(({ heading, href, texts }) => ({
      page: title,
      heading,
      href,
      text: texts.join(" · ").replaceAll(/\s+/g, " "),
    }));
}

function textsOf(block: GuideBlock): string[] {
  switch (block.kind) {
    case "heading":
    case "paragraph":
      return [plainText(block.text)];
    case "code":
      return [block.code];
    case "samples":
      return block.samples.slice(0, 1).map(({ code }) => code);
    case "list":
      return block.items.flat().flatMap(textsOf);
    case "picture":
      return [];
    default:
      return block.rows.map((row) => row.map(plainText).join(" "));
  }
}

/** Finds the sections that contain every word, best first. */
export function findSections(
  sections: readonly GuideSection[],
  query: string,
): GuideMatch[] {
  const words = wordsOf(query);
  if (words.length === 0) return [];
  return sections
    .map((section) => ({ section, score: scoreOf(section, words) }))
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score)
    .slice(0, MAX_MATCHES)
    .map(({ section: { heading, href, page, text } }) => ({
      page,
      href,
      heading: marked(heading, words),
      excerpt: marked(excerptOf(text, words), words),
    }));
}

/** Returns the words of a query, lowercase, without a plural's ending: "keys" finds "key", too. */
export function wordsOf(query: string): string[] {
  const words = query
    .toLowerCase()
    .split(/\s+/)
    .map((word) => word.slice(0, MAX_WORD_LENGTH).replace(/(?<=\w{3})s$/, ""))
    .filter((word) => word !== "");
  return [...new Set(words)].slice(0, MAX_WORDS);
}

function scoreOf(
  { heading, page, text }: GuideSection,
  words: readonly string[],
): number {
  let sum = 0;
  for (const word of words) {
    const score =
      IN_HEADING * placeScore(heading, word) +
      IN_PAGE_TITLE * placeScore(page, word) +
      placeScore(text, word);
    if (score === 0) return 0;
    sum += score;
  }
  return sum;
}

function placeScore(text: string, word: string): number {
  const lower = text.toLowerCase();
  const at = lower.indexOf(word);
  if (at < 0) return 0;
  const isStart = lower.startsWith(word) || lower.includes(` ${word}`);
  return isStart ? AT_WORD_START : 1;
}

/** Cuts a part out of the text around the first word that is in it, between words. */
function excerptOf(text: string, words: readonly string[]): string {
  const lower = text.toLowerCase();
  const places = words
    .map((word) => lower.indexOf(word))
    .filter((place) => place >= 0);
  const first = places.length === 0 ? 0 : Math.min(...places);
  const from =
    first <= EXCERPT_BEFORE
      ? 0
      : text.indexOf(" ", first - EXCERPT_BEFORE) + 1 || first;
  const rest = text.slice(from);
  const cut =
    rest.length <= EXCERPT_LENGTH
      ? rest
      : `${rest.slice(0, rest.lastIndexOf(" ", EXCERPT_LENGTH))} …`;
  return from === 0 ? cut : `… ${cut}`;
}

function marked(text: string, words: readonly string[]): MarkedText {
  const lower = text.toLowerCase();
  const pieces: { text: string; isMatch: boolean }[] = [];
  let from = 0;
  while (from < text.length) {
    const [next] = words
      .map((word) => ({ at: lower.indexOf(word, from), word }))
      .filter(({ at }) => at >= 0)
      .sort((a, b) => a.at - b.at || b.word.length - a.word.length);
    const at = next?.at ?? text.length;
    if (at > from) pieces.push({ text: text.slice(from, at), isMatch: false });
    if (next === undefined) break;
    from = at + next.word.length;
    pieces.push({ text: text.slice(at, from), isMatch: true });
  }
  return pieces;
}

/** Returns the path of a page of the guide. */
export function guidePath(name: string): string {
  return PAGE_PATHS["guide-page"].replace(":page", name);
}

/** Returns the path of the guide's page with the matches of a query. */
export function guideSearchPath(query: string): string {
  return query === ""
    ? PAGE_PATHS.guide
    : `${PAGE_PATHS.guide}?${new URLSearchParams({ q: query })}`;
}
