import pino from "pino";

/** Members of each line that people don't need: one machine has one node. */
const LEFT_OUT: ReadonlySet<string> = new Set([
  "level",
  "time",
  "node",
  "thread",
  "msg",
]);

/** Makes lines for people of a log's JSON lines: `12:30:45 WARN leaving seconds=5`. A line that isn't JSON stays. */
export function textLines(lines: string): string {
  return lines.replaceAll(/[^\n]+/g, textLine);
}

function textLine(line: string): string {
  let members: Record<string, unknown>;
  try {
    members = JSON.parse(line);
  } catch {
    return line;
  }
  const { level, msg, time } = members;
  const rest = Object.entries(members)
    .filter(([name, value]) => !LEFT_OUT.has(name) && value !== null)
    .map(([name, value]) => `${name}=${valueText(value)}`);
  const label = pino.levels.labels[Number(level)] ?? "";
  return [
    String(time).slice(11, 19),
    label.toUpperCase().padEnd(5),
    shown(String(msg)),
    ...rest,
  ].join(" ");
}

/** Writes a value as JSON, without the quotes of a plain word; of an error only what it says. */
function valueText(value: unknown): string {
  if (typeof value === "object" && value !== null && "message" in value)
    return JSON.stringify(value.message);
  return typeof value === "string" && /^[\w./:?=&%+~@-]+$/.test(value)
    ? value
    : shown(JSON.stringify(value));
}

/** Escapes what would control the terminal. */
function shown(text: string): string {
  return text.replaceAll(
    /\p{Cc}/gu,
    (character) =>
      `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
