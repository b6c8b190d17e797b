/**
 * Refuses words that make our English hard to read (CONTRIBUTING.md, "Words") in Markdown, source code, scripts,
 * openapi.json, and files for deploying. Prints each as `file:line: word → what to write`, then the counts, and exits
 * with 1 if there are any. Part of `npm run check`.
 *
 *     node_modules/.bin/node tools/check-words.ts [path...]     only files whose path starts with one of these
 */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { argv, exit } from "node:process";

interface Word {
  readonly pattern: RegExp;
  readonly write: string;
  /** A line on which the word is right. */
  readonly unless?: RegExp;
  /** The only paths in which the word is wrong. */
  readonly paths?: RegExp;
}

/** What users read. */
const FOR_USERS = /^(docs\/[^/]+\.md|README\.md|SECURITY\.md|openapi\.json)$/;

const WORDS: readonly Word[] = [
  {
    pattern: /\/\*\* Whether\b/g,
    write: "True if",
  },
  {
    pattern: /\/\*\* (What|How|Where|Which)\b/g,
    write: "a verb for a function, a noun for a value",
    paths: /^src\//,
  },
  {
    pattern: /\balone\b/gi,
    write: "only",
    unless: /\b(leave|leaves|leaving|left|let)\b.*\balone\b|stand-?alone/i,
  },
  {
    pattern: /\b[Nn]obody\b/g,
    write: "no one, no user, or rewrite",
    unless: /\buser nobody\b/,
  },
  { pattern: /\bsomebody\b/gi, write: "someone, a user" },
  { pattern: /\b(everybody|anybody)\b/gi, write: "everyone, anyone" },
  { pattern: /\banew\b/gi, write: "again" },
  { pattern: /\bwho(m|so)?ever\b/gi, write: "anyone who, a user who" },
  {
    pattern:
      /(?<=^\W*|[.:;] |\* |["'`])Who (has|signs|asks|wants|uses|reads)\b/g,
    write: "a user who, anyone who",
    unless: /\?/,
  },
  { pattern: /\bbesides\b/gi, write: "also, as well, other than" },
  {
    pattern: /\bwhere there (is|are|was|were)\b/gi,
    write: "if there is, when",
  },
  {
    pattern: /\bstands?\b/gi,
    write: "is, appears, is listed",
    unless: /\bstands? (for|in for|out)\b|\bstand-(alone|in)/i,
  },
  {
    pattern: /\b(it|that|which|process|code|file|data) lives\b/gi,
    write: "is, is in, is stored in",
  },
  { pattern: /\bshall\b/gi, write: "should, must, or a question" },
  { pattern: /\bbelongs? into\b/gi, write: "belongs in" },
  {
    pattern:
      /\b(there(by|in|of|upon)|here(by|in|of)|where(of|upon|in)|lest|hence|thus)\b/gi,
    write: "a plain word: so, in it, of it",
  },
  {
    pattern: /\b(is|are|be|was|were|been) told\b/gi,
    write: "is reported, is printed, learns",
  },
  { pattern: /\btells\b/gi, write: "prints, reports, says, shows" },
  {
    pattern: /\b(is|are|be|was|were|been) asked for\b/gi,
    write: "is requested, is queried",
  },
  {
    pattern: /\b(is|are|be|was|were|been) held\b/gi,
    write: "is stored, is kept",
    unless: /\bheld (to|against|by|back)\b/i,
  },
  { pattern: /\b(begins|beginnings?)\b/gi, write: "starts, start, prefix" },
  { pattern: /\bas often as\b/gi, write: "as many times as, or rewrite" },
  {
    pattern: /\bso many\b/gi,
    write: "the number itself, as many",
    unless: /\bso many\b.*\bthat\b/i,
  },
  { pattern: /\bof (its|their|our|his) own\b/gi, write: "its own, separate" },
  {
    pattern: /\bfor good\b/gi,
    write: "permanently",
    unless: /\bfor good reason/i,
  },
  { pattern: /\bat hand\b/gi, write: "available" },
  { pattern: /\bin work\b/gi, write: "in progress" },
  { pattern: /\bwhich is why\b/gi, write: "so, or two sentences" },
  { pattern: /\bbeside\b/gi, write: "next to, in addition to" },
  { pattern: /\bthe others\b/gi, write: "the rest, other …" },
  { pattern: /\bneed be\b/gi, write: "if needed" },
  { pattern: /\bdear(er|est)?\b/gi, write: "expensive" },
  { pattern: /\b(In|Of) (it|them|these) (are|is|only)\b/g, write: "rewrite" },
  {
    // Not the verb after its subject, and not a variable in a sample.
    pattern: /(?<!\b(can|it|service|that|to|worker) )\b[Aa]nswers?\b(?! =|\[)/g,
    write: "response, request (of a quota); the verb: returns, responds",
    paths: FOR_USERS,
  },
];

/** A doc comment of a function that begins with a noun. */
const FUNCTION = {
  pattern:
    /\/\*\*\s+(?:\* )?(The|An?|All|One) (?:(?!\*\/)[\s\S])*\*\/\s+(?:export )?(?:default )?(?:async )?function\b/g,
};

const ROOT = join(import.meta.dirname, "..");
/** Data, and this list. */
const EXCEPT = /^(test\/fixtures\/|tools\/check-words\.ts$)/;

const paths = globSync(
  [
    "{*.md,openapi.json}",
    "{.ci,bin}/*",
    "{.github,bench,deploy,docs,src,test,tools}/**/*.{as,cfg,conf,css,html,md,service,timer,ts,tsx,yaml,yml}",
    "deploy/Dockerfile",
  ],
  { cwd: ROOT },
)
  .filter((path) => !EXCEPT.test(path))
  .filter(
    (path) =>
      argv.length <= 2 || argv.slice(2).some((start) => path.startsWith(start)),
  )
  .sort();

const counts = new Map<Pick<Word, "pattern">, number>();
for (const path of paths) {
  const isMarkdown = path.endsWith(".md");
  const content = readFileSync(join(ROOT, path), "utf8");
  if (/^src\/.*\.tsx?$/.test(path))
    for (const { 1: found, index } of content.matchAll(FUNCTION.pattern)) {
      const line = content.slice(0, index).split("\n").length;
      console.log(
        `${path}:${line}: ${found} → a verb: the comment of a function`,
      );
      note(FUNCTION);
    }
  const lines = content.split("\n");
  for (const [index, line] of lines.entries()) {
    // Code and links' targets in Markdown aren't prose.
    const text = isMarkdown
      ? line.replaceAll(/`[^`]*`|(?<=\])\([^)]*\)/g, "")
      : line;
    for (const word of WORDS) {
      if (word.unless?.test(text) || word.paths?.test(path) === false) continue;
      for (const [found] of text.matchAll(word.pattern)) {
        console.log(`${path}:${index + 1}: ${found} → ${word.write}`);
        note(word);
      }
    }
  }
}

function note(rule: Pick<Word, "pattern">): void {
  counts.set(rule, (counts.get(rule) ?? 0) + 1);
}

const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
if (total > 0) {
  console.log();
  for (const [word, count] of [...counts].sort(([, a], [, b]) => b - a))
    console.log(`${String(count).padStart(5)}  ${word.pattern.source}`);
}
console.log(`${total} words to replace in ${paths.length} files.`);
exit(total === 0 ? 0 : 1);
