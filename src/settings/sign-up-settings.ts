import { normalizeEmail } from "../accounts/users/email.ts";
import { anyText, choice, optional, valid } from "./setting.ts";

/** The sign-up settings. */
export const SIGN_UP = {
  wanted: choice({
    flag: "sign-up",
    variable: "SIGN_UP",
    help: "Whether users can sign up and manage their own keys, at /auth and /account.",
    defaultValue: null,
    defaultText: "on with SMTP_URL or in the npm start demo, else off",
    choices: ["on", "off"],
  }),
  smtpUrl: optional({
    flag: "smtp-url",
    variable: "SMTP_URL",
    placeholder: "URL",
    help: "Mail server for sign-up: smtp://USER:PASSWORD@HOST:PORT, or smtps:// for TLS from the start.",
    isSecret: true,
    parse: valid(
      (text) => /^smtps?:\/\/[^/]/.test(text) && URL.canParse(text),
      "must be a URL such as smtp://USER:PASSWORD@HOST:587",
    ),
  }),
  mailFrom: optional({
    flag: "mail-from",
    variable: "MAIL_FROM",
    placeholder: "ADDRESS",
    help: "Sender of the service's emails, such as Directory <directory@clinic.example>.",
    parse: valid(
      isMailFrom,
      "must be an email address, such as Directory <directory@clinic.example>",
    ),
  }),
  secret: optional({
    flag: "auth-secret",
    variable: "AUTH_SECRET",
    placeholder: "TEXT",
    help: "Signs session cookies and emailed links: at least 32 characters, the same on all machines that share a DATABASE_URL.",
    defaultText: "auth-secret in the data folder, created once",
    isSecret: true,
    parse: valid(
      (text) => text.length >= 32,
      "must have at least 32 characters",
    ),
  }),
  githubId: anyText({
    flag: "github-client-id",
    variable: "GITHUB_CLIENT_ID",
    placeholder: "ID",
    help: "Client ID of a GitHub OAuth app, to let users sign in with GitHub.",
  }),
  githubSecret: anyText({
    flag: "github-client-secret",
    variable: "GITHUB_CLIENT_SECRET",
    placeholder: "TEXT",
    help: "Client secret of the GitHub OAuth app.",
    isSecret: true,
  }),
};

function isMailFrom(text: string): boolean {
  const [, address = text] = /^[^<>\r\n]*<([^<>]+)>$/.exec(text) ?? [];
  return normalizeEmail(address) !== null;
}
