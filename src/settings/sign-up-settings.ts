import { normalizeEmail } from "../accounts/users/email.ts";
import { oneOf, setting, type Parsed } from "./setting.ts";

/** Who may sign up, and what that needs. */
export const SIGN_UP = {
  wanted: setting<"on" | "off" | null>({
    flag: "sign-up",
    variable: "SIGN_UP",
    takes: "on|off",
    help: "Whether people can sign up and manage their keys themselves, at /auth and /account.",
    fallback: null,
    fallbackText: "on with SMTP_URL or in the demo of npm start, else off",
    parse: oneOf(["on", "off"] as const),
  }),
  smtpUrl: setting<string | null>({
    flag: "smtp-url",
    variable: "SMTP_URL",
    takes: "URL",
    help: "The mail server for sign-up, as smtp://USER:PASSWORD@HOST:PORT (smtps:// for TLS from the start).",
    fallback: null,
    fallbackText: "",
    isSecret: true,
    parse: (text) =>
      /^smtps?:\/\/[^/]/.test(text) && URL.canParse(text)
        ? { ok: true, value: text }
        : {
            ok: false,
            problem: "must be an address such as smtp://USER:PASSWORD@HOST:587",
          },
  }),
  mailFrom: setting<string | null>({
    flag: "mail-from",
    variable: "MAIL_FROM",
    takes: "ADDRESS",
    help: "Whom mails come from, such as Directory <directory@clinic.example>.",
    fallback: null,
    fallbackText: "",
    parse: parseMailFrom,
  }),
  secret: setting<string | null>({
    flag: "auth-secret",
    variable: "AUTH_SECRET",
    takes: "TEXT",
    help: "Signs session cookies and mailed links: 32 characters or more, the same on all machines of one DATABASE_URL.",
    fallback: null,
    fallbackText: "auth-secret in the data folder, made once",
    isSecret: true,
    parse: (text) =>
      text.length >= 32
        ? { ok: true, value: text }
        : { ok: false, problem: "must have at least 32 characters" },
  }),
  githubId: setting<string | null>({
    flag: "github-client-id",
    variable: "GITHUB_CLIENT_ID",
    takes: "ID",
    help: "A GitHub OAuth app, with which people may sign in too.",
    fallback: null,
    fallbackText: "",
    parse: (text) => ({ ok: true, value: text }),
  }),
  githubSecret: setting<string | null>({
    flag: "github-client-secret",
    variable: "GITHUB_CLIENT_SECRET",
    takes: "TEXT",
    help: "The secret of the GitHub OAuth app.",
    fallback: null,
    fallbackText: "",
    isSecret: true,
    parse: (text) => ({ ok: true, value: text }),
  }),
};

function parseMailFrom(text: string): Parsed<string> {
  const [, address = text] = /^[^<>\r\n]*<([^<>]+)>$/.exec(text) ?? [];
  return normalizeEmail(address) === null
    ? {
        ok: false,
        problem:
          "must be an e-mail address, such as Directory <directory@clinic.example>",
      }
    : { ok: true, value: text };
}
