import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Random } from "../accounts/api-key.ts";

/** The secret's name in the data folder. */
const SECRET_FILE = "auth-secret";

const SECRET_BYTES = 32;
const OWNER_ONLY = 0o600;

/**
 * The secret that session cookies and mailed links are signed with: the one kept in the data folder, made (readable by
 * its owner alone) when it is not there. Throws the system's error.
 */
export function keptSecret(dataDir: string, random: Random): string {
  const file = join(dataDir, SECRET_FILE);
  try {
    const made = Buffer.from(random(SECRET_BYTES)).toString("base64url");
    writeFileSync(file, `${made}\n`, { flag: "wx", mode: OWNER_ONLY });
    return made;
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST"))
      throw error;
    return readFileSync(file, "utf8").trim();
  }
}
