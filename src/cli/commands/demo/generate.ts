import { existsSync } from "node:fs";
import { basename } from "node:path";
import { writeWithProgress } from "./build-demo.ts";
import {
  fail,
  NO_OPERANDS,
  refuseMisuse,
  type Command,
} from "../../command.ts";
import { problemOfName } from "../../../registry-generator/write-registry.ts";
import { counted, formatBytes, formatSeconds } from "../../output/format.ts";
import {
  FORCE,
  OUT,
  PROVIDERS,
  SEED,
  WITH_OTHER_FILES,
} from "../../settings/settings.ts";

export const generateCommand: Command = {
  operands: NO_OPERANDS,
  settings: [PROVIDERS, OUT, SEED, WITH_OTHER_FILES, FORCE],
  summary:
    "Write a registry file of invented providers, in the official 330-column layout.",
  details: [
    "The file name's extension chooses between a CSV and a zip like the registry's. The same seed gives the same file on every machine. With --with-other-files, deactivated providers also get a deactivation reason and a replacement NPI, which the registry leaves blank.",
  ],
  prepare(reader) {
    const providers = reader.require(PROVIDERS, 0);
    const out = reader.require(OUT, "");
    const seed = reader.read(SEED);
    const otherFiles = reader.read(WITH_OTHER_FILES);
    const force = reader.read(FORCE);
    return async (context) => {
      const problem = problemOfName({ out, otherFiles });
      if (problem !== null) return refuseMisuse(context, `--out ${problem}.`);
      if (!force && existsSync(out))
        return fail(
          context,
          `${out} already exists. Choose another name, or use --force to replace it.`,
        );
      const { bytes, rows, seconds } = await writeWithProgress(
        `Writing ${basename(out)}`,
        { providers, out, seed, otherFiles },
        context,
      );
      context.out(
        `${out}: ${counted(rows, "row")}, ${formatBytes(bytes)}, written in ${formatSeconds(seconds)}.`,
      );
      return 0;
    };
  },
};
