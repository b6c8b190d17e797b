import { isIP } from "node:net";
import { normalizeEmail } from "../../accounts/users/email.ts";
import type { TrustedProxies } from "../../settings/service-settings.ts";
import { oneOf, type Parsed, type Setting } from "./setting.ts";

export const TRUST_PROXY: Setting<TrustedProxies> = {
  flag: "trust-proxy",
  variable: "TRUST_PROXY",
  takes: "N|ADDRESSES",
  help: "Whose X-Forwarded-For counts: how many proxies stand in front, or their addresses and networks, with commas.",
  fallback: null,
  fallbackText: "nobody's",
  parse: parseTrustProxy,
};

const SWITCH = ["on", "off"] as const;

export const SIGN_UP: Setting<"on" | "off" | null> = {
  flag: "sign-up",
  variable: "SIGN_UP",
  takes: "on|off",
  help: "Whether people can sign up and manage their keys themselves, at /auth and /account.",
  fallback: null,
  fallbackText: "on with SMTP_URL or in the demo of npm start, else off",
  parse: oneOf(SWITCH),
};

export const SMTP_URL: Setting<string | null> = {
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
};

export const MAIL_FROM: Setting<string | null> = {
  flag: "mail-from",
  variable: "MAIL_FROM",
  takes: "ADDRESS",
  help: "Whom mails come from, such as Directory <directory@clinic.example>.",
  fallback: null,
  fallbackText: "",
  parse: parseMailFrom,
};

export const AUTH_SECRET: Setting<string | null> = {
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
};

export const GITHUB_CLIENT_ID: Setting<string | null> = {
  flag: "github-client-id",
  variable: "GITHUB_CLIENT_ID",
  takes: "ID",
  help: "A GitHub OAuth app, with which people may sign in too.",
  fallback: null,
  fallbackText: "",
  parse: (text) => ({ ok: true, value: text }),
};

export const GITHUB_CLIENT_SECRET: Setting<string | null> = {
  flag: "github-client-secret",
  variable: "GITHUB_CLIENT_SECRET",
  takes: "TEXT",
  help: "The secret of the GitHub OAuth app.",
  fallback: null,
  fallbackText: "",
  isSecret: true,
  parse: (text) => ({ ok: true, value: text }),
};

/** The names that proxies' libraries have for private networks. */
const NETWORK_NAMES = ["loopback", "linklocal", "uniquelocal"];

function parseTrustProxy(text: string): Parsed<TrustedProxies> {
  if (/^[1-9]$/.test(text)) return { ok: true, value: Number(text) };
  const places = text.split(",").map((place) => place.trim());
  if (places.every(isPlace)) return { ok: true, value: places };
  return {
    ok: false,
    problem: `must be a number of proxies from 1 to 9, or addresses and networks such as 10.0.0.0/8, or ${NETWORK_NAMES.join(", ")}`,
  };
}

function isPlace(text: string): boolean {
  if (NETWORK_NAMES.includes(text)) return true;
  const [address = "", bits, ...more] = text.split("/");
  const most = isIP(address) === 4 ? 32 : isIP(address) === 6 ? 128 : -1;
  return (
    most > 0 &&
    more.length === 0 &&
    (bits === undefined ||
      (/^[0-9]{1,3}$/.test(bits) && Number(bits) > 0 && Number(bits) <= most))
  );
}

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
