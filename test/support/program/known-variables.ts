/** Variables that files of `deploy` may set. */

import { LOADED_COMMANDS } from "./loaded-commands.ts";

/** Read by Node or by Amazon's library. */
const OF_OTHERS = /^(?:NODE_COMPILE_CACHE|AWS_[A-Z_]+)$/;

const KNOWN = new Set(
  LOADED_COMMANDS.flatMap(({ settings }) =>
    settings.map(({ variable }) => variable),
  ),
);

/** Those of `names` that the program does not read. */
export function unknownVariables(names: readonly string[]): string[] {
  return names.filter((name) => !KNOWN.has(name) && !OF_OTHERS.test(name));
}
