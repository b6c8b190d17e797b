import type { AppliedFile } from "../../snapshot/metadata.ts";
import type { OfferedFile } from "../offers/offered-file.ts";
import type { OfferedTaxonomy } from "../offers/taxonomy-page.ts";

/** The files that the sources have. */
export interface Offered {
  files: readonly OfferedFile[];
  taxonomy: OfferedTaxonomy | null;
}

/** A file that an operator rolled back. */
export type RolledBackFile = {
  /** ISO date of the rollback. */
  on: string;
} & (
  | Pick<AppliedFile, "kind" | "begin" | "end">
  /** NUCC's table of a version in tenths. */
  | { kind: "taxonomy"; version: number }
);

/** Removes rolled-back files from the offers, with a sentence about each. */
export function withoutRolledBack(
  { files, taxonomy }: Offered,
  rolledBack: readonly RolledBackFile[],
): { wanted: Offered; notes: string[] } {
  const notes: string[] = [];
  const isWanted = (file: OfferedFile | OfferedTaxonomy): boolean => {
    const found = rolledBack.findLast((each) => isSame(each, file));
    if (found === undefined) return true;
    notes.push(
      `Skipping ${file.name}: it was rolled back on ${found.on}. To import it again, run update --force.`,
    );
    return false;
  };
  return {
    wanted: {
      files: files.filter(isWanted),
      taxonomy: taxonomy !== null && isWanted(taxonomy) ? taxonomy : null,
    },
    notes,
  };
}

function isSame(
  rolledBack: RolledBackFile,
  offered: OfferedFile | OfferedTaxonomy,
): boolean {
  if (rolledBack.kind === "taxonomy")
    return (
      offered.kind === "taxonomy" && rolledBack.version === offered.version
    );
  if (rolledBack.kind !== offered.kind || rolledBack.end === null) return false;
  if (offered.kind === "deactivations") return rolledBack.end === offered.date;
  if (offered.kind === "week")
    return rolledBack.begin === offered.begin && rolledBack.end === offered.end;
  // A full file is published in the month in which its period ends.
  return offered.end === null
    ? rolledBack.end.slice(0, 7) === offered.month
    : rolledBack.end === offered.end;
}
