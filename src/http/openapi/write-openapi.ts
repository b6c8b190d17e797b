/** Writes openapi.json. Run it after a change of schemas, errors or routes. */
import { writeFile } from "node:fs/promises";
import { ROUTES } from "../routes/table.ts";
import { openapiText } from "./openapi.ts";

await writeFile(
  new URL("../../../openapi.json", import.meta.url),
  openapiText(ROUTES),
);
