/** Terminals obey these instead of showing them: they could move the cursor, change the title, or reorder text. */
const OBEYED = /[\p{Cc}\p{Bidi_Control}]/gu;
const OBEYED_BUT_LINE_FEED = /[^\P{Cc}\n]|\p{Bidi_Control}/gu;

/** A value for one line, such as a name of the registry: control characters become `\u001b`, as JSON escapes them. */
export function printable(value: string): string {
  return value.replaceAll(OBEYED, escaped);
}

/** The same for whole lines, whose line feeds stay. */
export function printableLines(text: string): string {
  return text.replaceAll(OBEYED_BUT_LINE_FEED, escaped);
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
