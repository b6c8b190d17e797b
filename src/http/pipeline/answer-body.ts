import type {
  ChangesAnswer,
  LookupAnswer,
  NearbyAnswer,
  SearchAnswer,
} from "../../contract/answers.ts";

/** An answer's envelope around data that are JSON already. */
export function answerBody(
  data: string,
  meta: (ChangesAnswer | LookupAnswer | NearbyAnswer | SearchAnswer)["meta"],
): string {
  return `{"data":${data},"meta":${JSON.stringify(meta)}}`;
}
