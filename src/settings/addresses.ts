import { isIP } from "node:net";
import { problemOfUrl } from "../accounts/database/database.ts";
import { normalizeEmail } from "../accounts/users/email.ts";
import type { Parsed } from "./setting.ts";

const MAX_CONTACTS = 5;
/** Contact URIs of RFC 9116, in ASCII. */
const CONTACT =
  /^(?:https:\/\/[\x21-\x7e]+|mailto:[\x21-\x7e]+@[\x21-\x7e]+|tel:\+[\d-]+)$/;

/** Names of private networks, as proxy-addr has them. */
const NETWORK_NAMES = ["loopback", "linklocal", "uniquelocal"];

/** The number of proxies in front, or their addresses and networks; null for none. */
export type TrustedProxies = number | readonly string[] | null;

/** The address that serves metrics. */
export interface MetricsAddress {
  /** A host name or address of this machine. */
  readonly host: string;
  /** 0 lets the system choose. */
  readonly port: number;
}

/** Parses a URL of a PostgreSQL server. */
export function parseDatabaseUrl(text: string): Parsed<string> {
  const problem = problemOfUrl(text);
  return problem === null ? { ok: true, value: text } : { ok: false, problem };
}

/** Parses the URL of a snapshot store: a bucket and a prefix, a folder, or a web server. */
export function parseSnapshotStore(text: string): Parsed<string> {
  const url = URL.parse(text);
  const isBucket =
    url?.protocol === "s3:" &&
    /^[\w.-]{3,}$/.test(url.hostname) &&
    url.username + url.search + url.hash + url.port === "";
  const isFolder =
    url?.protocol === "file:" && url.hostname === "" && url.pathname !== "/";
  const isSite = /^https?:$/.test(url?.protocol ?? "") && url?.hash === "";
  if (url !== null && (isBucket || isFolder || isSite))
    return { ok: true, value: url.href };
  return {
    ok: false,
    problem:
      "must be a URL such as s3://BUCKET/PREFIX, file:///FOLDER or https://HOST/FOLDER",
  };
}

/** A path that cookies, links, and configurations of proxies take as it is. */
const PUBLIC_PATH = /^(?:\/[\w.~-]+)*\/?$/;

export function parsePublicUrl(text: string): Parsed<string> {
  const problem =
    "must be an http or https URL without a query, such as https://api.example.org, or below a path of letters, digits, and . _ ~ -, such as https://example.org/npi";
  const url = URL.parse(text);
  if (
    url === null ||
    !/^https?:$/.test(url.protocol) ||
    url.search !== "" ||
    url.hash !== "" ||
    url.username !== "" ||
    !PUBLIC_PATH.test(url.pathname)
  ) {
    return { ok: false, problem };
  }
  return { ok: true, value: url.href.replace(/\/+$/, "") };
}

export function parseTrustProxy(text: string): Parsed<TrustedProxies> {
  if (/^[1-9]$/.test(text)) return { ok: true, value: Number(text) };
  const places = text.split(",").map((place) => place.trim());
  if (places.every(isPlace)) return { ok: true, value: places };
  return {
    ok: false,
    problem: `must be a number of proxies from 1 to 9, or a comma-separated list of addresses, networks such as 10.0.0.0/8, and ${NETWORK_NAMES.join(", ")}`,
  };
}

function isPlace(text: string): boolean {
  if (NETWORK_NAMES.includes(text)) return true;
  const [address = "", bits, ...more] = text.split("/");
  const max = isIP(address) === 4 ? 32 : isIP(address) === 6 ? 128 : -1;
  return (
    max > 0 &&
    more.length === 0 &&
    (bits === undefined ||
      (/^[0-9]{1,3}$/.test(bits) && Number(bits) > 0 && Number(bits) <= max))
  );
}

export function parseContacts(text: string): Parsed<readonly string[]> {
  const contacts = text.split(",").map((each) => contactOf(each.trim()));
  const value = contacts.filter((contact) => contact !== null);
  return value.length === contacts.length && value.length <= MAX_CONTACTS
    ? { ok: true, value }
    : {
        ok: false,
        problem: `must be up to ${MAX_CONTACTS} contacts, comma-separated, such as security@example.org, https://example.org/report or tel:+1-555-0100`,
      };
}

/** Parses a host and a port, with an IPv6 host in brackets. A port without a host is on 127.0.0.1. */
export function parseMetricsAddress(text: string): Parsed<MetricsAddress> {
  const [, , bracketed, plain, digits] =
    /^((?:\[([0-9a-f:.]+)\]|([^:[\]]+)):)?([0-9]{1,5})$/i.exec(text) ?? [];
  const port = Number(digits);
  return port <= 65_535
    ? { ok: true, value: { host: bracketed ?? plain ?? "127.0.0.1", port } }
    : { ok: false, problem: "must be an address such as 127.0.0.1:9464" };
}

function contactOf(text: string): string | null {
  if (CONTACT.test(text)) return URL.canParse(text) ? text : null;
  return mailLink(text);
}

/** Returns the `mailto:` link of an email address; null for any other text. */
export function mailLink(text: string): string | null {
  const email = normalizeEmail(text);
  return email === null
    ? null
    : `mailto:${encodeURIComponent(email).replace("%40", "@")}`;
}
