import { FILTERS } from "../../contract/filters.ts";
import { useEffect, useState } from "react";
import type { TaxonomyCount } from "../../search/query.ts";
import { Combobox } from "../components/combobox.tsx";
import { formatCount } from "../format.ts";
import { useQuery } from "../api/use-query.ts";

/** How long somebody pauses between words, not between letters. */
const PAUSE_MS = 150;

/** The specialty: one of the taxonomies, chosen from a list with counts, or words of its name. */
export function SpecialtyField({
  onChoose,
  onType,
  problem,
  specialty,
  taxonomy,
  typed,
}: {
  /** The code that is asked for, or null. */
  readonly taxonomy: string | null;
  /** The words that are asked for, or null. */
  readonly specialty: string | null;
  /** What was typed and not asked for yet, or null. */
  readonly typed: string | null;
  readonly problem: string | undefined;
  readonly onType: (text: string) => void;
  readonly onChoose: (code: string) => void;
}) {
  const settled = useSettled(typed ?? specialty ?? taxonomy ?? "");
  const { answer } = useQuery<TaxonomyCount[]>(
    `/explore/taxonomies?${new URLSearchParams({ q: settled })}`,
  );
  const found = answer?.data ?? [];
  const chosen = found.find(({ code }) => code === taxonomy?.toUpperCase());
  const asked = taxonomy === null ? null : (chosen?.description ?? taxonomy);
  return (
    <Combobox
      label={FILTERS.specialty.label}
      placeholder="All specialties"
      problem={problem}
      value={typed ?? specialty ?? asked ?? ""}
      onChange={onType}
      onChoose={({ value }) => onChoose(value)}
      options={found.map(({ code, count, description }) => ({
        value: code,
        text: description ?? code,
        note: formatCount(count),
      }))}
    />
  );
}

/** The text once no one has changed it for a moment. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}
