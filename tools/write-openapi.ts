/** Writes openapi.json. Run it after a change of schemas, errors or routes. */
import { writeFile } from "node:fs/promises";
import { ROUTES } from "../src/http/routes/table.ts";
import { openapiText } from "../src/http/openapi/openapi.ts";

await writeFile(
  new URL("../openapi.json", import.meta.url),
  openapiText(ROUTES),
);
