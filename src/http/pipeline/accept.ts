/**
 * A client's preference for a media type, 0 to 1: the weight of the most specific range in Accept that covers it (RFC
 * 9110, 12.5.1), ignoring other parameters of the range. Without the header, 1.
 */
export function weightOf(
  accept: string | undefined,
  mediaType: string,
): number {
  if (accept === undefined || accept.trim() === "") return 1;
  const ranges = [mediaType, `${mediaType.split("/")[0]}/*`, "*/*"];
  let weight = 0;
  let rank = ranges.length;
  for (const given of accept.split(",")) {
    const [range = "", ...parameters] = given
      .split(";")
      .map((part) => part.trim().toLowerCase());
    const at = ranges.indexOf(range);
    if (at === -1 || at > rank) continue;
    const quality = qualityOf(parameters);
    // If a range appears twice, with parameters that we ignore, the higher weight counts.
    weight = at === rank ? Math.max(weight, quality) : quality;
    rank = at;
  }
  return weight;
}

/** Whether Accept lists a media type explicitly. */
export function listsMediaType(
  accept: string | undefined,
  mediaType: string,
): boolean {
  return (
    accept?.split(",").some((range) => {
      const [type = ""] = range.split(";");
      return type.trim().toLowerCase() === mediaType;
    }) ?? false
  );
}

/** Whether a client prefers HTML over JSON, as browsers do when they navigate. */
export function prefersPage(accept: string | undefined): boolean {
  const page = weightOf(accept, "text/html");
  return (
    page > weightOf(accept, "application/json") &&
    page > weightOf(accept, "application/problem+json")
  );
}

function qualityOf(parameters: readonly string[]): number {
  const given = parameters.find((parameter) => parameter.startsWith("q="));
  if (given === undefined) return 1;
  const quality = Number(given.slice(2));
  return quality >= 0 && quality <= 1 ? quality : 0;
}
