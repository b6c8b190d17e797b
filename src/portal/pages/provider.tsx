import {
  EmptyState,
  ExplorerClosed,
  NoData,
} from "../components/empty-state.tsx";
import { FailureAlert } from "../components/failure-alert.tsx";
import { Skeleton } from "../components/elements.tsx";
import { useConfig } from "../api/config.ts";
import { lastSearch } from "../explorer/explorer-search.ts";
import { SearchElsewhere } from "../explorer/question/search-box.tsx";
import { Page } from "../shell/page.tsx";
import type { ProviderRecord } from "../../contract/provider.ts";
import { RecordView } from "../provider/record-view.tsx";
import { providerTitle, unknownNpiTitle } from "../../site/page-titles.ts";
import { providerName } from "../../site/provider-name.ts";
import { Link } from "../shell/router.tsx";
import { useQuery } from "../api/use-query.ts";
import styles from "../provider/provider.module.css";

/** Errors that retrying can't fix. */
const NO_PROVIDER_CODES: ReadonlySet<string> = new Set([
  "invalid_npi",
  "provider_not_found",
]);

export default function Provider({ npi = "" }: { readonly npi?: string }) {
  const { explorer, source } = useConfig();
  if (explorer !== "closed" && source !== null) return <Record npi={npi} />;
  return (
    <Page title={`NPI ${npi}`}>
      {explorer === "closed" ? <ExplorerClosed /> : <NoData />}
    </Page>
  );
}

function Record({ npi }: { readonly npi: string }) {
  const { answer, failure, isLoading, retry } = useQuery<ProviderRecord>(
    `/explore/providers/${encodeURIComponent(npi)}`,
  );
  // While loading, `answer` is still the previous provider's.
  const record = isLoading ? null : (answer?.data ?? null);
  const search = lastSearch();
  const isNotFound =
    failure?.kind === "refused" && NO_PROVIDER_CODES.has(failure.error.code);
  const specialty = record?.primary_taxonomy?.description;
  return (
    <Page
      title={record === null ? `NPI ${npi}` : nameOf(record)}
      titleOfWindow={titleOf(npi, record, isNotFound)}
      width="wide"
      before={
        <div className={styles.recordSearch}>
          {search !== null && (
            <Link href={search}>
              <span className="hidden-on-phones">Back to </span>results
            </Link>
          )}
          <SearchElsewhere key={npi} />
        </div>
      }
      {...(specialty && { lead: specialty })}
    >
      {isLoading && (
        <div className="page-loading">
          <Skeleton lines={12} />
        </div>
      )}
      {failure?.kind === "refused" && isNotFound && (
        <EmptyState title={failure.error.message}>
          You can also search by name, specialty, or place.
        </EmptyState>
      )}
      {failure !== null && !isNotFound && (
        <FailureAlert failure={failure} onRetry={retry} />
      )}
      {record !== null && (
        <RecordView
          record={record}
          history={answer?.history ?? []}
          point={answer?.points[0] ?? null}
        />
      )}
    </Page>
  );
}

/** Writes `Jane Doe, MD`. */
function nameOf(record: ProviderRecord): string {
  return [providerName(record), record.name?.credential]
    .filter(Boolean)
    .join(", ");
}

function titleOf(
  npi: string,
  record: ProviderRecord | null,
  isNotFound: boolean,
): string {
  if (isNotFound) return unknownNpiTitle(npi);
  if (record === null) return `NPI ${npi}`;
  const { city = null, state = null } = record.practice_address ?? {};
  return providerTitle({ ...record, city, state });
}
