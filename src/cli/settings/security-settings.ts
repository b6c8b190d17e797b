import { normalizeEmail } from "../../accounts/users/email.ts";
import type { Parsed, Setting } from "./setting.ts";

const MOST_CONTACTS = 5;
/** Addresses as RFC 9116 wants them, in ASCII. */
const CONTACT =
  /^(?:https:\/\/[\x21-\x7e]+|mailto:[\x21-\x7e]+@[\x21-\x7e]+|tel:\+[\d-]+)$/;

export const SECURITY_CONTACT: Setting<readonly string[]> = {
  flag: "security-contact",
  variable: "SECURITY_CONTACT",
  takes: "ADDRESSES",
  help: "Whom to tell of a weakness, for /.well-known/security.txt: mail addresses, https: or tel: addresses, with commas.",
  fallback: [],
  fallbackText: "there is no security.txt",
  parse: parseContacts,
};

function parseContacts(text: string): Parsed<readonly string[]> {
  const contacts = text.split(",").map((each) => contactOf(each.trim()));
  const value = contacts.filter((contact) => contact !== null);
  return value.length === contacts.length && value.length <= MOST_CONTACTS
    ? { ok: true, value }
    : {
        ok: false,
        problem: `must be up to ${MOST_CONTACTS} addresses such as security@example.org, https://example.org/report or tel:+1-555-0100, with commas`,
      };
}

function contactOf(text: string): string | null {
  if (CONTACT.test(text)) return URL.canParse(text) ? text : null;
  const email = normalizeEmail(text);
  return email === null
    ? null
    : `mailto:${encodeURIComponent(email).replace("%40", "@")}`;
}
