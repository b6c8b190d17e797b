import type { FastifyInstance } from "fastify";
import { PAGE_PATHS } from "../../site/page-paths.ts";
import type { HttpDependencies } from "../app-context.ts";

const SECURITY_TXT = "/.well-known/security.txt";
const DAY_MS = 86_400_000;
/** RFC 9116 wants less than a year; the file is made when it is asked for, and so never grows old. */
const EXPIRES_DAYS = 180;

/**
 * `/.well-known/security.txt` (RFC 9116), where the operator named a contact, and `/.well-known/change-password`, which
 * leads password managers to the portal's page, where people sign in with passwords.
 */
export function addWellKnown(
  app: FastifyInstance,
  deps: HttpDependencies,
  hasPages: boolean,
): void {
  if (deps.settings.securityContacts.length > 0)
    app.get(SECURITY_TXT, (_request, reply) => {
      reply
        .type("text/plain; charset=utf-8")
        .header("cache-control", "public, max-age=86400");
      return securityText(deps);
    });
  if (deps.people !== null && hasPages)
    app.get("/.well-known/change-password", (_request, reply) =>
      reply
        .header("cache-control", "no-cache")
        .redirect(PAGE_PATHS.security, 302),
    );
}

function securityText({
  now,
  settings: { publicUrl, securityContacts },
}: HttpDependencies): string {
  const today = Math.floor(now() / DAY_MS) * DAY_MS;
  const expires = new Date(today + EXPIRES_DAYS * DAY_MS).toISOString();
  const lines = [
    ...securityContacts.map((contact) => `Contact: ${contact}`),
    `Expires: ${expires}`,
    "Preferred-Languages: en",
  ];
  // Below a path the file would not be where it is looked for.
  if (publicUrl !== null && new URL(publicUrl).pathname === "/")
    lines.push(`Canonical: ${publicUrl}${SECURITY_TXT}`);
  return `${lines.join("\n")}\n`;
}
