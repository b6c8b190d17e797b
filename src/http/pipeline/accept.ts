/**
 * How much a client wants a media type, 0 to 1: the weight of the most specific range of its Accept header that covers the
 * type (RFC 9110, 12.5.1), whatever parameters the range has. Without the header, all types are welcome alike.
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
    // Of one range given twice, with parameters that do not matter here, the more welcome one counts.
    weight = at === rank ? Math.max(weight, quality) : quality;
    rank = at;
  }
  return weight;
}

/** Whether a client names a media type and does not just take what comes. */
export function names(accept: string | undefined, mediaType: string): boolean {
  return (
    accept?.split(",").some((range) => {
      const [type = ""] = range.split(";");
      return type.trim().toLowerCase() === mediaType;
    }) ?? false
  );
}

/** Whether a client wants a page, and JSON less: what browsers ask for when they go somewhere, and programs do not. */
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
