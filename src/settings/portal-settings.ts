import { oneOf, setting, whole, type Parsed, type Setting } from "./setting.ts";

const LONGEST_NAME = 60;
const LONGEST_ATTRIBUTION = 200;

const EXPLORERS = ["open", "signed-in"] as const;

export const PORTAL_SWITCH: Setting<"on" | "off"> = {
  flag: "portal",
  variable: "PORTAL",
  takes: "on|off",
  help: "Whether the service shows people its pages: explorer, guide, reference, account.",
  fallback: "on",
  fallbackText: "on",
  parse: oneOf(["on", "off"] as const),
};

/** What the portal shows, and to whom. */
export const PORTAL = {
  name: setting<string>({
    flag: "portal-name",
    variable: "PORTAL_NAME",
    takes: "TEXT",
    help: "What the pages and mails call the service.",
    fallback: "Provider Directory",
    fallbackText: "Provider Directory",
    parse: lineOf(LONGEST_NAME),
  }),
  tiles: setting<string | null>({
    flag: "portal-tiles",
    variable: "PORTAL_TILES",
    takes: "URL",
    help: "Tiles for the map, as https://tiles.example.org/{z}/{x}/{y}.png; browsers then ask that host.",
    fallback: null,
    fallbackText: "the shapes that come with it",
    parse: parseTiles,
  }),
  tilesAttribution: setting<string | null>({
    flag: "portal-tiles-attribution",
    variable: "PORTAL_TILES_ATTRIBUTION",
    takes: "TEXT",
    help: "Whose tiles they are, as their terms want it said on the map.",
    fallback: null,
    fallbackText: "the host of the tiles",
    parse: lineOf(LONGEST_ATTRIBUTION),
  }),
  explorer: setting<(typeof EXPLORERS)[number] | null>({
    flag: "explorer",
    variable: "EXPLORER",
    takes: EXPLORERS.join("|"),
    help: "Who may explore the data in the portal without a key: everybody, or those who are signed in.",
    fallback: null,
    fallbackText: "open with invented data, else signed-in",
    parse: oneOf(EXPLORERS),
  }),
  burstPerSecond: whole({
    flag: "explorer-burst",
    variable: "EXPLORER_BURST",
    takes: "N",
    help: "How many requests a second the explorer allows an address, and an account; three seconds' worth at once.",
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
          "must be an address such as https://tiles.example.org/{z}/{x}/{y}.png",
      };
}
