import { readFileSync } from "node:fs";

const PACKAGE = new URL("../../package.json", import.meta.url);

/** The program's version, as its package says. */
export function programVersion(): string {
  const description: unknown = JSON.parse(readFileSync(PACKAGE, "utf8"));
  if (
    typeof description === "object" &&
    description !== null &&
    "version" in description
  )
    return String(description.version);
  throw new Error("package.json has no version.");
}
