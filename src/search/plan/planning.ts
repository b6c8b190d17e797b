import type { Snapshot } from "../../snapshot/snapshot.ts";
import { once } from "../../snapshot/bytes/once.ts";
import { Workspace } from "../evaluate/workspace.ts";
import { TaxonomyFilter } from "../filters/taxonomy-filters.ts";
import { NameFilters } from "./name-filters.ts";

/** The inputs of query plans, one per thread. */
export interface Planning {
  snapshot: Snapshot;
  workspace: Workspace;
  taxonomyFilters: {
    readonly primary: TaxonomyFilter;
    /** Opened on first use; null if the snapshot has only primary taxonomies. */
    readonly others: TaxonomyFilter | null;
  };
  /** For the names of documents, and for their other names; null if the snapshot does not have those. */
  nameFilters: {
    readonly own: NameFilters;
    /** Opened on first use; null if the snapshot doesn't have other names. */
    readonly others: NameFilters | null;
  };
}

/** Opens what only scopes of `any` need on first use. */
export function planningFor(
  snapshot: Snapshot,
  workspace: Workspace,
): Planning {
  const otherTaxonomies = once(() => {
    const { slots } = snapshot.extended;
    return slots && new TaxonomyFilter(slots);
  });
  const otherNames = once(() => {
    const { names } = snapshot.extended;
    return names && new NameFilters(names, new Workspace(names));
  });
  return {
    snapshot,
    workspace,
    taxonomyFilters: {
      primary: new TaxonomyFilter(snapshot),
      get others() {
        return otherTaxonomies();
      },
    },
    nameFilters: {
      own: new NameFilters(snapshot, workspace),
      get others() {
        return otherNames();
      },
    },
  };
}
