import { oneOf, setting, whole, type Parsed, type Setting } from "./setting.ts";

const LONGEST_NAME = 60;
const LONGEST_ATTRIBUTION = 200;

const EXPLORERS = ["open", "signed-in"] as const;

export const PORTAL_SWITCH: Setting<"on" | "off"> = {
  flag: "portal",
  variable: "PORTAL",
  takes: "on|off",
  help: "Whether to serve the portal: explorer, guide, reference, account pages.",
  fallback: "on",
  fallbackText: "on",
  parse: oneOf(["on", "off"] as const),
};

/** The portal's settings. */
export const PORTAL = {
  name: setting<string>({
    flag: "portal-name",
    variable: "PORTAL_NAME",
    takes: "TEXT",
    help: "The service's name on pages and in emails.",
    fallback: "Provider Directory",
    fallbackText: "Provider Directory",
    parse: lineOf(LONGEST_NAME),
  }),
  tiles: setting<string | null>({
    flag: "portal-tiles",
    variable: "PORTAL_TILES",
    takes: "URL",
    help: "Map tiles, as https://tiles.example.org/{z}/{x}/{y}.png. Browsers load them from that host.",
    fallback: null,
    fallbackText: "built-in shapes",
    parse: parseTiles,
  }),
  tilesAttribution: setting<string | null>({
    flag: "portal-tiles-attribution",
    variable: "PORTAL_TILES_ATTRIBUTION",
    takes: "TEXT",
    help: "Credit for the tiles, shown on the map as their terms require.",
    fallback: null,
    fallbackText: "the tile host",
    parse: lineOf(LONGEST_ATTRIBUTION),
  }),
  explorer: setting<(typeof EXPLORERS)[number] | null>({
    flag: "explorer",
    variable: "EXPLORER",
    takes: EXPLORERS.join("|"),
    help: "Who may use the explorer, which needs no key: everyone, or only signed-in users.",
    fallback: null,
    fallbackText: "open for demo data, else signed-in",
    parse: oneOf(EXPLORERS),
  }),
  burstPerSecond: whole({
    flag: "explorer-burst",
    variable: "EXPLORER_BURST",
    takes: "N",
    help: "Explorer requests per second allowed for each IP address and each account; up to three seconds' worth at once.",
    fallback: 10,
    fallbackText: "10",
    least: 1,
    most: 10_000,
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

function parseTiles(text: string): Parsed<string> {
  const url = URL.parse(text);
  return url !== null &&
    /^https?:$/.test(url.protocol) &&
    /^[A-Za-z0-9.:[\]-]+$/.test(url.host) &&
    ["{z}", "{x}", "{y}"].every((part) => text.includes(part))
    ? { ok: true, value: text }
    : {
        ok: false,
        problem:
          "must be a URL such as https://tiles.example.org/{z}/{x}/{y}.png",
      };
}
