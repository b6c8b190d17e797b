import type { Plugin } from "vite";
import { SHAPE_FILES, shapeFile } from "./map-shapes.ts";

const PREFIX = "virtual:map-shapes/";

/** Lets the portal import the URLs of the map's shapes, as `virtual:map-shapes/states`. */
export function mapShapesPlugin(): Plugin {
  let base = "/";
  let isServed = false;
  return {
    name: "map-shapes",
    configResolved(config) {
      base = config.base;
      isServed = config.command === "serve";
    },
    resolveId: {
      filter: { id: /^virtual:map-shapes\// },
      handler: (id) => `\0${id}`,
    },
    load: {
      // oxlint-disable-next-line no-control-regex -- how Vite marks virtual modules
      filter: { id: /^\0virtual:map-shapes\// },
      handler(id) {
        const file = fileOf(id);
        if (isServed)
          return `export default ${JSON.stringify(`${base}${PREFIX}${file}`)};`;
        const reference = this.emitFile({
          type: "asset",
          name: `${file}.json`,
          source: shapeFile(file),
        });
        return `export default import.meta.ROLLUP_FILE_URL_${reference};`;
      },
    },
    configureServer({ middlewares }) {
      middlewares.use((request, response, next) => {
        const { url = "" } = request;
        if (!url.includes(PREFIX)) return next();
        response.setHeader("content-type", "application/json");
        return response.end(shapeFile(fileOf(url)));
      });
    },
  };
}

function fileOf(id: string) {
  const name = id.slice(id.indexOf(PREFIX) + PREFIX.length);
  const file = SHAPE_FILES.find((each) => each === name);
  if (file === undefined) throw new Error(`There are no shapes "${name}".`);
  return file;
}
