/** An API request to show as code. */
export interface SampleRequest {
  /** `/v1/providers/search`. */
  readonly path: string;
  readonly query?: readonly (readonly [name: string, value: string])[];
}

export interface RequestSamples {
  readonly curl: string;
  readonly typescript: string;
  readonly python: string;
}

/** A request in three languages, ready to paste. `base` is the service's URL; the key comes from the environment. */
export function requestSamples(
  { path, query = [] }: SampleRequest,
  base: string,
): RequestSamples {
  const search = new URLSearchParams(
    query.map(([name, value]) => [name, value]),
  );
  const url = `${base}${path}${query.length === 0 ? "" : `?${search}`}`;
  return {
    // URLSearchParams doesn't encode single quotes, which would end the shell's string.
    curl: `curl -H "Authorization: Bearer $API_KEY" \\\n  '${url.replaceAll("'", "%27")}'`,
    typescript: [
      `const response = await fetch(`,
      `  ${JSON.stringify(url)},`,
      `  { headers: { Authorization: \`Bearer \${process.env.API_KEY}\` } },`,
      `);`,
      `const { data, meta } = await response.json();`,
    ].join("\n"),
    python: [
      `import json, os, urllib.request`,
      ``,
      `request = urllib.request.Request(`,
      `    ${JSON.stringify(url)},`,
      `    headers={"Authorization": f"Bearer {os.environ['API_KEY']}"},`,
      `)`,
      `with urllib.request.urlopen(request) as response:`,
      `    answer = json.load(response)`,
    ].join("\n"),
  };
}
