import { readFileSync } from "node:fs";

/** Shorter words occur in many passwords by chance, so they only count if they are the whole password. */
const MIN_WORD_LENGTH = 4;
/** A password needs this many characters in addition to the obvious words. */
const MIN_OWN_CHARACTERS = 4;
/** Passwords of fewer different characters are guessed early. */
const MIN_DIFFERENT_CHARACTERS = 4;

const SERVICE_WORDS = ["provider directory service", "provider directory"];

/** The reason why a password is refused; `code` and `message` go to the client. */
export interface PasswordRefusal {
  readonly code: "PASSWORD_TOO_COMMON" | "PASSWORD_FROM_ADDRESS";
  readonly message: string;
}

/** The words that are tried first to guess a user's password. */
export interface KnownWords {
  readonly email: string;
  /** The name of the service. */
  readonly name: string;
}

const TOO_COMMON: PasswordRefusal = {
  code: "PASSWORD_TOO_COMMON",
  message:
    "This password is too common and easy to guess. Choose another, such as four unrelated words.",
};
const FROM_ADDRESS: PasswordRefusal = {
  code: "PASSWORD_FROM_ADDRESS",
  message:
    "This password is too similar to your email address or the name of this service. Choose another.",
};

let commonPasswords: ReadonlySet<string> | null = null;

/** Returns what is wrong with a new password of sufficient length; null if nothing is (ASVS 5, 6.2.4 and 6.2.11). */
export function refusalOfPassword(
  password: string,
  { email, name }: KnownWords,
): PasswordRefusal | null {
  const text = password.normalize("NFKC").toLowerCase();
  const common = (commonPasswords ??= readCommonPasswords());
  const withoutEnd = text.replace(/[^\p{L}]+$/u, "");
  if (
    common.has(text) ||
    common.has(withoutEnd) ||
    new Set(text).size < MIN_DIFFERENT_CHARACTERS
  )
    return TOO_COMMON;
  const [local = "", domain = ""] = email.toLowerCase().split("@");
  const known = [email, local, domain, domain.split(".")[0] ?? "", name];
  const words = [...known, ...SERVICE_WORDS, ...local.split(/[^\p{L}]+/u)];
  return isLittleMoreThan(text, words) ? FROM_ADDRESS : null;
}

/** True if little is left of a text without some words and punctuation, with or without digits. */
function isLittleMoreThan(text: string, words: readonly string[]): boolean {
  return [/[^\p{L}]/gu, /[^\p{L}\p{N}]/gu].some((other) => {
    const plain = (each: string) =>
      each.normalize("NFKC").toLowerCase().replace(other, "");
    const whole = plain(text);
    if (whole === "") return false;
    const known = [...new Set(words.map(plain))]
      .filter((word) => word !== "")
      .toSorted((a, b) => b.length - a.length);
    if (known.some((word) => whole.replaceAll(word, "") === "")) return true;
    let left = whole;
    for (const word of known)
      if (word.length >= MIN_WORD_LENGTH) left = left.replaceAll(word, "");
    return left !== whole && left.length < MIN_OWN_CHARACTERS;
  });
}

/** Reads the 5,000 most common passwords of sufficient length, in lower case; see DEPENDENCIES.md. */
function readCommonPasswords(): ReadonlySet<string> {
  const file = new URL("common-passwords.txt", import.meta.url);
  return new Set(readFileSync(file, "utf8").trimEnd().split("\n"));
}
