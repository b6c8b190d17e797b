import type { Environment } from "../../../src/settings/setting-reader.ts";
import { succeed } from "./program.ts";

/** Creates an API key as an operator does, and returns it. */
export async function createKey(
  dataDir: string,
  {
    email = "ada@clinic.example",
    plan = "paid",
    environment = {},
  }: { email?: string; plan?: string; environment?: Environment } = {},
): Promise<string> {
  const args = ["--email", email, "--plan", plan, "--data-dir", dataDir];
  const out = await succeed(["keys", "create", ...args], { environment });
  return out.trim();
}
