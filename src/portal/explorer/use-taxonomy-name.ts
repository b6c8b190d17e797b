import type { TaxonomyEntry } from "../../contract/answers.ts";
import { useQuery } from "../api/use-query.ts";

/** The display name of a taxonomy code; null while it is unknown, and without a code. */
export function useTaxonomyName(code: string | null): string | null {
  const { answer } = useQuery<TaxonomyEntry[]>(
    code === null
      ? null
      : `/explore/taxonomies?${new URLSearchParams({ q: code, limit: "1" })}`,
  );
  const [entry] = answer?.data ?? [];
  return entry?.code === code?.toUpperCase()
    ? (entry?.description ?? null)
    : null;
}
