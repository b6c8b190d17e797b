/** A process that downloads a file, to be killed: `download-child.ts URL PATH`. */

import { download } from "../../src/update/http/download.ts";
import { testRequestContext } from "./request-context.ts";

const [, , url = "", path = ""] = process.argv;
using asking = testRequestContext();
await download(
  {
    name: "file.zip",
    url: new URL(url),
    path,
    maxBytes: 1e9,
    snapshotBytes: () => 0,
    check: async () => {},
  },
  asking,
);
