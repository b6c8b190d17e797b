import { mailLink } from "./addresses.ts";
import {
  choice,
  integer,
  optional,
  setting,
  valid,
  type Parsed,
} from "./setting.ts";

const MAX_NAME_LENGTH = 60;
const MAX_LINK_LENGTH = 500;
const MAX_ATTRIBUTION_LENGTH = 200;

export const PORTAL_SWITCH = choice({
  flag: "portal",
  variable: "PORTAL",
  help: "Whether to serve the portal: explorer, guide, reference, account pages.",
  defaultValue: "on",
  choices: ["on", "off"],
});

/** The portal's settings. */
export const PORTAL = {
  name: setting<string>({
    flag: "portal-name",
    variable: "PORTAL_NAME",
    placeholder: "TEXT",
    help: "The service's name on pages and in emails.",
    defaultValue: "Provider Directory",
    parse: lineOf(MAX_NAME_LENGTH),
  }),
  logo: optional({
    flag: "portal-logo",
    variable: "PORTAL_LOGO",
    placeholder: "FILE",
    help: "A logo for the header, in place of the name: an SVG or PNG file of up to 100 KB.",
    parse: valid(
      (text) => /\.(?:svg|png)$/i.test(text),
      "must be an SVG or PNG file, such as /etc/provider-directory/logo.svg",
    ),
  }),
  contact: optional({
    flag: "portal-contact",
    variable: "PORTAL_CONTACT",
    placeholder: "EMAIL|URL",
    help: "Where users reach the operator: an email address or a page. Linked on every page.",
    parse: parseContact,
  }),
  privacy: optional({
    flag: "portal-privacy",
    variable: "PORTAL_PRIVACY",
    placeholder: "URL",
    help: "The privacy policy, linked on every page: a URL, or a path of this host.",
    parse: parseLink,
  }),
  terms: optional({
    flag: "portal-terms",
    variable: "PORTAL_TERMS",
    placeholder: "URL",
    help: "The terms of use, linked on every page: a URL, or a path of this host.",
    parse: parseLink,
  }),
  guide: choice({
    flag: "guide",
    variable: "GUIDE",
    help: "Which pages of the guide to show: all, or only those for developers who use the API.",
    defaultValue: "all",
    choices: ["all", "developers"],
  }),
  tiles: optional({
    flag: "portal-tiles",
    variable: "PORTAL_TILES",
    placeholder: "URL|FILE",
    help: "Map tiles: a PMTiles archive, as a file of this machine or a URL, or pictures as https://tiles.example.org/{z}/{x}/{y}.png. Browsers load URLs from their host.",
    defaultText: "built-in shapes",
    parse: valid(
      isTiles,
      "must be a file such as /var/lib/tiles/usa.pmtiles, or a URL such as https://tiles.example.org/usa.pmtiles or https://tiles.example.org/{z}/{x}/{y}.png",
    ),
  }),
  tilesAttribution: optional({
    flag: "portal-tiles-attribution",
    variable: "PORTAL_TILES_ATTRIBUTION",
    placeholder: "TEXT",
    help: "Credit for the tiles, shown on the map as their terms require.",
    defaultText: "the archive's, or the tile host",
    parse: lineOf(MAX_ATTRIBUTION_LENGTH),
  }),
  explorer: choice({
    flag: "explorer",
    variable: "EXPLORER",
    help: "Who may use the explorer, which needs no key: everyone, or only signed-in users.",
    defaultValue: null,
    defaultText: "open for demo data, else signed-in",
    choices: ["open", "signed-in"],
  }),
  burstPerSecond: integer({
    flag: "explorer-burst",
    variable: "EXPLORER_BURST",
    placeholder: "N",
    help: "Rate limit of the explorer: requests per second for each IP address and each account; up to three seconds' worth at once.",
    defaultValue: 70,
    min: 1,
    max: 10_000,
  }),
};

/** Makes a parser of one line. */
function lineOf(longest: number) {
  return valid(
    (text) => text.length <= longest && !/[\p{C}]/u.test(text),
    `must be one line of up to ${longest} characters`,
  );
}

/** Parses an email address, as a `mailto:` link, or the URL of a page. */
function parseContact(text: string): Parsed<string> {
  const value = mailLink(text) ?? pageUrl(text);
  return value === null
    ? {
        ok: false,
        problem:
          "must be an email address such as directory@clinic.example, or a URL such as https://clinic.example/contact",
      }
    : { ok: true, value };
}

/** Parses the URL of a page, or its path on this host. */
function parseLink(text: string): Parsed<string> {
  const url = /^\/(?![/\\])/.test(text)
    ? pageUrl(`https://host.example${text}`)?.replace(/^https:\/\/[^/]+/, "")
    : pageUrl(text);
  return url == null
    ? {
        ok: false,
        problem:
          "must be a URL such as https://clinic.example/privacy, or a path such as /privacy.html",
      }
    : { ok: true, value: url };
}

/** Returns the text as an http or https URL; null if it is none. */
function pageUrl(text: string): string | null {
  const url = URL.parse(text);
  return url !== null &&
    /^https?:$/.test(url.protocol) &&
    url.username + url.password === "" &&
    text.length <= MAX_LINK_LENGTH
    ? url.href
    : null;
}

const ARCHIVE = /\.pmtiles$/i;

function isTiles(text: string): boolean {
  const url = URL.parse(text);
  if (url === null) return ARCHIVE.test(text);
  return (
    /^https?:$/.test(url.protocol) &&
    /^[A-Za-z0-9.:[\]-]+$/.test(url.host) &&
    (ARCHIVE.test(url.pathname) ||
      ["{z}", "{x}", "{y}"].every((part) => text.includes(part)))
  );
}
