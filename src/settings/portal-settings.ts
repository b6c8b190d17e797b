import {
  oneOf,
  setting,
  integer,
  type Parsed,
  type Setting,
} from "./setting.ts";

const MAX_NAME_LENGTH = 60;
const MAX_ATTRIBUTION_LENGTH = 200;

const GUIDES = ["all", "developers"] as const;
const EXPLORERS = ["open", "signed-in"] as const;

export const PORTAL_SWITCH: Setting<"on" | "off"> = {
  flag: "portal",
  variable: "PORTAL",
  placeholder: "on|off",
  help: "Whether to serve the portal: explorer, guide, reference, account pages.",
  defaultValue: "on",
  defaultText: "on",
  parse: oneOf(["on", "off"] as const),
};

/** The portal's settings. */
export const PORTAL = {
  name: setting<string>({
    flag: "portal-name",
    variable: "PORTAL_NAME",
    placeholder: "TEXT",
    help: "The service's name on pages and in emails.",
    defaultValue: "Provider Directory",
    defaultText: "Provider Directory",
    parse: lineOf(MAX_NAME_LENGTH),
  }),
  guide: setting<(typeof GUIDES)[number]>({
    flag: "guide",
    variable: "GUIDE",
    placeholder: GUIDES.join("|"),
    help: "Which pages of the guide to show: all, or only those for developers who use the API.",
    defaultValue: "all",
    defaultText: "all",
    parse: oneOf(GUIDES),
  }),
  tiles: setting<string | null>({
    flag: "portal-tiles",
    variable: "PORTAL_TILES",
    placeholder: "URL|FILE",
    help: "Map tiles: a PMTiles archive, as a file of this machine or a URL, or pictures as https://tiles.example.org/{z}/{x}/{y}.png. Browsers load URLs from their host.",
    defaultValue: null,
    defaultText: "built-in shapes",
    parse: parseTiles,
  }),
  tilesAttribution: setting<string | null>({
    flag: "portal-tiles-attribution",
    variable: "PORTAL_TILES_ATTRIBUTION",
    placeholder: "TEXT",
    help: "Credit for the tiles, shown on the map as their terms require.",
    defaultValue: null,
    defaultText: "the archive's, or the tile host",
    parse: lineOf(MAX_ATTRIBUTION_LENGTH),
  }),
  explorer: setting<(typeof EXPLORERS)[number] | null>({
    flag: "explorer",
    variable: "EXPLORER",
    placeholder: EXPLORERS.join("|"),
    help: "Who may use the explorer, which needs no key: everyone, or only signed-in users.",
    defaultValue: null,
    defaultText: "open for demo data, else signed-in",
    parse: oneOf(EXPLORERS),
  }),
  burstPerSecond: integer({
    flag: "explorer-burst",
    variable: "EXPLORER_BURST",
    placeholder: "N",
    help: "Rate limit of the explorer: requests per second for each IP address and each account; up to three seconds' worth at once.",
    defaultValue: 70,
    defaultText: "70",
    min: 1,
    max: 10_000,
  }),
};

function lineOf(longest: number): (text: string) => Parsed<string> {
  return (text) =>
    text.length <= longest && !/[\p{C}]/u.test(text)
      ? { ok: true, value: text }
      : {
          ok: false,
          problem: `must be one line of up to ${longest} characters`,
        };
}

const ARCHIVE = /\.pmtiles$/i;

function parseTiles(text: string): Parsed<string> {
  const url = URL.parse(text);
  const isFine =
    url === null
      ? ARCHIVE.test(text)
      : /^https?:$/.test(url.protocol) &&
        /^[A-Za-z0-9.:[\]-]+$/.test(url.host) &&
        (ARCHIVE.test(url.pathname) ||
          ["{z}", "{x}", "{y}"].every((part) => text.includes(part)));
  return isFine
    ? { ok: true, value: text }
    : {
        ok: false,
        problem:
          "must be a file such as /var/lib/tiles/usa.pmtiles, or a URL such as https://tiles.example.org/usa.pmtiles or https://tiles.example.org/{z}/{x}/{y}.png",
      };
}
