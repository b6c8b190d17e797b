import { hash } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import type { Logo } from "../../settings/service-settings.ts";

const MAX_LOGO_BYTES = 100_000;
const PNG_SIGNATURE = "89504e470d0a1a0a";
const NAME_LENGTH = 16;

/** Reads the operator's logo (`PORTAL_LOGO`), or says what is wrong with it, as a clause ("it is …"). */
export function readLogo(path: string): Logo | string {
  try {
    // Opening a pipe would wait for a writer.
    const stats = statSync(path);
    if (!stats.isFile()) return "it is not a file";
    if (stats.size > MAX_LOGO_BYTES)
      return `it has ${stats.size} bytes, and a logo may have up to ${MAX_LOGO_BYTES}`;
    const bytes = readFileSync(path);
    const ending = endingOf(bytes);
    if (ending === null) return "it is neither SVG nor PNG";
    const digest = hash("sha256", bytes, "base64url").slice(0, NAME_LENGTH);
    const type = ending === "png" ? "image/png" : "image/svg+xml";
    return { type, name: `${digest}.${ending}`, bytes };
  } catch (error) {
    return `it can't be read (${error instanceof Error ? error.message : String(error)})`;
  }
}

/** Reports SVG or PNG by the contents, whatever the file's name; null for anything else. */
function endingOf(bytes: Buffer): "png" | "svg" | null {
  if (bytes.toString("hex", 0, PNG_SIGNATURE.length / 2) === PNG_SIGNATURE)
    return "png";
  return /^\uFEFF?\s*<(?:[?!][\s\S]*<)?svg[\s>]/.test(bytes.toString("utf8"))
    ? "svg"
    : null;
}
