/** The oracle for how texts are compared, written from the rule's text: one character after the other. */

/** Characters that are dropped: apostrophes, what people type instead of them, and periods. */
const DROPPED = new Set("'`.´‘’‛ʹʻʼʽˈ′＇․．");
const LETTERS: Readonly<Record<string, string>> = {
  Ø: "O",
  Ł: "L",
  Đ: "D",
  Æ: "AE",
  Œ: "OE",
  ẞ: "SS",
  ß: "SS",
  Þ: "TH",
};
const CITY_WORDS: Readonly<Record<string, string>> = {
  ST: "SAINT",
  STE: "SAINTE",
  MT: "MOUNT",
  FT: "FORT",
};

const folded = new Map<string, string>();

/** The words of a text, in upper case without accents, separated by single spaces. */
export function referenceFold(text: string): string {
  const known = folded.get(text);
  if (known !== undefined) return known;
  const found = wordsOf(text).join(" ");
  folded.set(text, found);
  return found;
}

/** A city as it is sorted: some short words of it are written out. */
export function referenceCity(city: string): string {
  return referenceFold(city)
    .split(" ")
    .map((word) => CITY_WORDS[word] ?? word)
    .join(" ");
}

/** True if two cities as they are sorted are the same: a space is no difference. */
export function isSameCity(one: string, other: string): boolean {
  return one.split(" ").join("") === other.split(" ").join("");
}

function wordsOf(text: string): string[] {
  const found = [""];
  for (const character of lettersOf(lettersOf(text).join("").toUpperCase())) {
    if (character === "&") found.push("AND", "");
    else if (/^[\p{L}\p{N}]$/u.test(character))
      found.push((found.pop() ?? "") + (LETTERS[character] ?? character));
    else found.push("");
  }
  return found.filter((word) => word !== "");
}

/** The characters of a text without its accents, and without what is dropped. */
function lettersOf(text: string): string[] {
  return Array.from(text.normalize("NFKD")).filter(
    (character) => !DROPPED.has(character) && !/^\p{M}$/u.test(character),
  );
}
