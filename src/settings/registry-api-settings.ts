import { choice, integer } from "./setting.ts";

/** The limit of the registry's own service, and the highest that can be set. */
const DEFAULT_SKIP = 1_000;
const MAX_SKIP = 1_000_000_000;

/** The settings of the registry's own API at `/api/`. */
export const REGISTRY_API = {
  mode: choice({
    flag: "npi-registry-api",
    variable: "NPI_REGISTRY_API",
    help: "Who may use the registry's own API at /api/: no one (off), requests with an API key (key), or everyone (open), within a rate limit.",
    defaultValue: "key",
    choices: ["off", "key", "open"],
  }),
  burstPerSecond: integer({
    flag: "npi-registry-burst",
    variable: "NPI_REGISTRY_BURST",
    placeholder: "N",
    help: "Rate limit of an open /api/: requests per second without an API key for each IP address; up to three seconds' worth at once.",
    defaultValue: 10,
    min: 1,
    max: 10_000,
  }),
  maxSkip: integer({
    flag: "npi-registry-max-skip",
    variable: "NPI_REGISTRY_MAX_SKIP",
    placeholder: "N",
    help: "The largest skip that /api/ accepts. The registry's own service allows 1000.",
    defaultValue: DEFAULT_SKIP,
    min: DEFAULT_SKIP,
    max: MAX_SKIP,
  }),
};
