/** Writes the OpenAPI document to the repository's root; run it after a change of schemas, errors or operations. */
import { writeFile } from "node:fs/promises";
import { ROUTES } from "../routes/table.ts";
import { openapiText } from "./openapi.ts";

await writeFile(
  new URL("../../../openapi.json", import.meta.url),
  openapiText(ROUTES),
);
