/** An answer's envelope around data that are JSON already. */
export function answerBody<Answer extends { meta: unknown }>(
  data: string,
  meta: Answer["meta"],
): string {
  return `{"data":${data},"meta":${JSON.stringify(meta)}}`;
}
