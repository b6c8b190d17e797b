import { linkSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Random } from "../accounts/keys/api-key.ts";

/** The secret's name in the data folder. */
const SECRET_FILE = "auth-secret";

const SECRET_BYTES = 32;
const OWNER_ONLY = 0o600;

/**
 * Reads the secret that signs session cookies and mailed links, from the data folder. Creates it there, readable only
 * by its owner, if missing. Throws the system's error.
 */
export function keptSecret(dataDir: string, random: Random): string {
  const file = join(dataDir, SECRET_FILE);
  const kept = readSecret(file);
  if (kept !== null) return kept;
  const made = Buffer.from(random(SECRET_BYTES)).toString("base64url");
  const unfinished = `${file}.${process.pid}.new`;
  try {
    // Complete before it gets its name: otherwise half a secret, written to a full disk, would be used at the next
    // start.
    writeFileSync(unfinished, `${made}\n`, { flag: "wx", mode: OWNER_ONLY });
    linkSync(unfinished, file);
    return made;
  } catch (error) {
    const others = readSecret(file);
    if (others !== null) return others;
    throw error;
  } finally {
    rmSync(unfinished, { force: true });
  }
}

/** Returns the kept secret; null if there is none. */
function readSecret(file: string): string | null {
  try {
    return readFileSync(file, "utf8").trim() || null;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT")
      return null;
    throw error instanceof Error && !("path" in error)
      ? Object.assign(error, { path: file })
      : error;
  }
}
