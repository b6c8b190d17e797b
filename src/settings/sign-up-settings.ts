import { normalizeEmail } from "../accounts/users/email.ts";
import { oneOf, setting, type Parsed } from "./setting.ts";

/** The sign-up settings. */
export const SIGN_UP = {
  wanted: setting<"on" | "off" | null>({
    flag: "sign-up",
    variable: "SIGN_UP",
    placeholder: "on|off",
    help: "Whether users can sign up and manage their own keys, at /auth and /account.",
    defaultValue: null,
    defaultText: "on with SMTP_URL or in the npm start demo, else off",
    parse: oneOf(["on", "off"] as const),
  }),
  smtpUrl: setting<string | null>({
    flag: "smtp-url",
    variable: "SMTP_URL",
    placeholder: "URL",
    help: "Mail server for sign-up: smtp://USER:PASSWORD@HOST:PORT, or smtps:// for TLS from the start.",
    defaultValue: null,
    defaultText: "",
    isSecret: true,
    parse: (text) =>
      /^smtps?:\/\/[^/]/.test(text) && URL.canParse(text)
        ? { ok: true, value: text }
        : {
            ok: false,
            problem: "must be a URL such as smtp://USER:PASSWORD@HOST:587",
          },
  }),
  mailFrom: setting<string | null>({
    flag: "mail-from",
    variable: "MAIL_FROM",
    placeholder: "ADDRESS",
    help: "Sender of the service's emails, such as Directory <directory@clinic.example>.",
    defaultValue: null,
    defaultText: "",
    parse: parseMailFrom,
  }),
  secret: setting<string | null>({
    flag: "auth-secret",
    variable: "AUTH_SECRET",
    placeholder: "TEXT",
    help: "Signs session cookies and emailed links: at least 32 characters, the same on all machines that share a DATABASE_URL.",
    defaultValue: null,
    defaultText: "auth-secret in the data folder, created once",
    isSecret: true,
    parse: (text) =>
      text.length >= 32
        ? { ok: true, value: text }
        : { ok: false, problem: "must have at least 32 characters" },
  }),
  githubId: setting<string | null>({
    flag: "github-client-id",
    variable: "GITHUB_CLIENT_ID",
    placeholder: "ID",
    help: "Client ID of a GitHub OAuth app, to let users sign in with GitHub.",
    defaultValue: null,
    defaultText: "",
    parse: (text) => ({ ok: true, value: text }),
  }),
  githubSecret: setting<string | null>({
    flag: "github-client-secret",
    variable: "GITHUB_CLIENT_SECRET",
    placeholder: "TEXT",
    help: "Client secret of the GitHub OAuth app.",
    defaultValue: null,
    defaultText: "",
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
          "must be an email address, such as Directory <directory@clinic.example>",
      }
    : { ok: true, value: text };
}
