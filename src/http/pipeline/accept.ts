/** Parses the list of Accept or Accept-Encoding: names in lower case, and weights from 0 to 1. */
function listed(accept: string): { name: string; weight: number }[] {
  return accept.split(",").map((range) => {
    const [name = "", ...parameters] = range
      .split(";")
      .map((part) => part.trim().toLowerCase());
    const given = parameters.find((parameter) => parameter.startsWith("q="));
    const weight = given === undefined ? 1 : Number(given.slice(2));
    return { name, weight: weight >= 0 && weight <= 1 ? weight : 0 };
  });
}

/**
 * Returns a client's preference for a media type, 0 to 1: the weight of the most specific range in Accept that covers
 * it (RFC 9110, 12.5.1), ignoring other parameters of the range. Without the header, 1.
 */
export function weightOf(
  accept: string | undefined,
  mediaType: string,
): number {
  if (accept === undefined || accept.trim() === "") return 1;
  const ranges = listed(accept);
  for (const covering of [mediaType, `${mediaType.split("/")[0]}/*`, "*/*"]) {
    const weights = ranges
      .filter(({ name }) => name === covering)
      .map(({ weight }) => weight);
    // If a range appears twice, with parameters that we ignore, the higher weight counts.
    if (weights.length > 0) return Math.max(...weights);
  }
  return 0;
}

/** True if Accept lists a media type explicitly. */
export function listsMediaType(accept = "", mediaType: string): boolean {
  return listed(accept).some(({ name }) => name === mediaType);
}

/** True if a client prefers HTML over JSON, as browsers do when they navigate. */
export function prefersPage(accept: string | undefined): boolean {
  const page = weightOf(accept, "text/html");
  return (
    page > weightOf(accept, "application/json") &&
    page > weightOf(accept, "application/problem+json")
  );
}
