import { FILTERS } from "../../../contract/filters.ts";
import type { TaxonomyEntry } from "../../../contract/answers.ts";
import { Combobox } from "../../components/combobox.tsx";
import { activeCounts } from "../../format.ts";
import { useQuery } from "../../api/use-query.ts";
import { useSettled } from "../hooks.ts";

const MAX_OPTIONS = 20;

/** Asks for the specialty: a taxonomy chosen from a list with counts, or words of its name. */
export function SpecialtyField({
  isAnySlot,
  onChoose,
  onType,
  problem,
  specialty,
  taxonomy,
  typed,
}: {
  /** The code in the search, or null. */
  readonly taxonomy: string | null;
  /** The words in the search, or null. */
  readonly specialty: string | null;
  /** Text that was typed but not submitted, or null. */
  readonly typed: string | null;
  /** True if the search also matches taxonomies that aren't the primary one. */
  readonly isAnySlot: boolean;
  readonly problem: string | undefined;
  readonly onType: (text: string) => void;
  readonly onChoose: (code: string) => void;
}) {
  const settled = useSettled(typed ?? specialty ?? taxonomy ?? "");
  const { answer } = useQuery<TaxonomyEntry[]>(
    `/explore/taxonomies?${new URLSearchParams({ q: settled, limit: String(MAX_OPTIONS) })}`,
  );
  const found = answer?.data ?? [];
  const chosen = found.find(({ code }) => code === taxonomy?.toUpperCase());
  const label = taxonomy === null ? null : (chosen?.description ?? taxonomy);
  return (
    <Combobox
      label={FILTERS.specialty.label}
      attributes={{ name: "specialty" }}
      placeholder="All specialties"
      problem={problem}
      value={typed ?? specialty ?? label ?? ""}
      onChange={onType}
      onChoose={({ value }) => onChoose(value)}
      options={found.flatMap(({ active_providers, code, description }) => {
        const { any, primary } = active_providers;
        const counts = (isAnySlot ? any : null) ?? primary;
        return counts.individuals + counts.organizations === 0
          ? []
          : {
              value: code,
              text: description ?? code,
              note: activeCounts(counts),
            };
      })}
    />
  );
}
