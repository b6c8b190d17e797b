/** An API request to show as code. */
export interface SampleRequest {
  /** `/v1/providers/search`. */
  readonly path: string;
  readonly query?: readonly (readonly [name: string, value: string])[];
  /** True if the response is not JSON. */
  readonly isText?: boolean;
  /** The file to save a response in that is neither. */
  readonly saveAs?: string | undefined;
}

export interface RequestSamples {
  readonly curl: string;
  readonly typescript: string;
  readonly python: string;
}

/**
 * Writes a request in three languages, ready to paste; each prints the response, or saves it. `base` is the service's
 * URL; the key comes from the environment.
 */
export function requestSamples(
  { isText = false, path, query = [], saveAs }: SampleRequest,
  base: string,
): RequestSamples {
  const search = new URLSearchParams(
    query.map(([name, value]) => [name, value]),
  );
  const url = `${base}${path}${query.length === 0 ? "" : `?${search}`}`;
  const file = JSON.stringify(saveAs);
  return {
    // URLSearchParams doesn't encode single quotes, which would end the shell's string.
    curl: `curl${saveAs === undefined ? "" : ` -o '${saveAs.replaceAll("'", "%27")}'`} -H "Authorization: Bearer $API_KEY" \\\n  '${url.replaceAll("'", "%27")}'`,
    typescript: [
      ...(saveAs === undefined
        ? []
        : [`import { writeFile } from "node:fs/promises";`, ``]),
      `const response = await fetch(`,
      `  ${JSON.stringify(url)},`,
      `  { headers: { Authorization: \`Bearer \${process.env.API_KEY}\` } },`,
      `);`,
      saveAs === undefined
        ? `console.log(await response.${isText ? "text" : "json"}());`
        : `await writeFile(${file}, response.body);`,
    ].join("\n"),
    python: [
      `import ${isText ? "" : "json, "}os, ${saveAs === undefined ? "" : "shutil, "}urllib.request`,
      ``,
      `request = urllib.request.Request(`,
      `    ${JSON.stringify(url)},`,
      `    headers={"Authorization": f"Bearer {os.environ['API_KEY']}"},`,
      `)`,
      `with urllib.request.urlopen(request) as response${saveAs === undefined ? "" : `, open(${file}, "wb") as file`}:`,
      saveAs === undefined
        ? `    print(${isText ? "response.read().decode()" : "json.dumps(json.load(response))"})`
        : `    shutil.copyfileobj(response, file)`,
    ].join("\n"),
  };
}
