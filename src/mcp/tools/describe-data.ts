import type { StatusAnswer } from "../../contract/answers.ts";
import { ask, isRefused } from "../api.ts";
import { list, object } from "../schemas.ts";
import { output, TEXT, WHOLE, type Tool } from "./tool.ts";

/** Facts that a record is no proof of. */
const NOT_CONFIRMED = [
  "that a license is valid, or was ever checked: providers report license numbers themselves",
  "credentials, education, or board certification",
  "that the provider accepts patients, or an insurance",
  "enrollment in Medicare or Medicaid",
  "that the provider is not excluded from federal programs: see OIG's list of exclusions",
  "that the address, phone number, or specialty is current: providers update them themselves",
];

export const DESCRIBE_DATA: Tool = {
  name: "describe_data",
  title: "Describe the data",
  description:
    "Use to learn how current the data is, how many providers it has, and what a record doesn't confirm. Free.",
  input: object({}),
  output: output({
    source: TEXT,
    counts: object({ providers: WHOLE }),
    details: list(TEXT),
    not_confirmed: list(TEXT),
  }),
  async call(_given, api) {
    const found = await ask<StatusAnswer>(api, "/v1/status");
    if (isRefused(found)) return found;
    const { data, meta } = found.body;
    const { counts, details, next_update, snapshot, warning } = data;
    return {
      snapshot,
      said: [
        meta.source,
        ...(warning === null ? [] : [warning]),
        `${counts.providers} providers: ${counts.individuals} individuals, ${counts.organizations} organizations; ${counts.deactivated} are deactivated.`,
        "A record confirms only that the registry lists this NPI. It doesn't confirm:",
        ...NOT_CONFIRMED.map((each) => `- ${each}`),
      ],
      facts: {
        source: meta.source,
        data_age_days: data.data_age_days,
        warning,
        next_update,
        counts,
        details,
        not_confirmed: NOT_CONFIRMED,
      },
    };
  },
};
