import { useState } from "react";
import type { SearchEntry, TaxonomyCount } from "../../search/query.ts";
import { Button } from "../components/button.tsx";
import { CodeTabs } from "../components/code-tabs.tsx";
import { Combobox } from "../components/combobox.tsx";
import { Dialog } from "../components/dialog.tsx";
import { EmptyState } from "../components/empty-state.tsx";
import { FailureAlert } from "../components/failure-alert.tsx";
import { Field, Select } from "../components/field.tsx";
import { Skeleton } from "../components/loading.tsx";
import { Pagination } from "../components/pagination.tsx";
import { Page } from "../page.tsx";
import { Link, navigate, usePlace } from "../router.tsx";
import { useAsk } from "../use-ask.ts";

interface SearchMeta {
  readonly page: number;
  readonly limit: number;
  readonly total: number;
}

const TYPES = [
  { value: "", text: "Anybody" },
  { value: "individual", text: "Individuals" },
  { value: "organization", text: "Organizations" },
];

/** Search by name, specialty and type; all of its state stands in the address. */
export default function Explorer() {
  const { query } = usePlace();
  const { answer, failure, retry } = useAsk<SearchEntry[], SearchMeta>(
    `/explore/search?${query}`,
  );
  return (
    <Page title="Explorer">
      <Filters key={query.toString()} query={query} />
      {failure !== null && <FailureAlert failure={failure} onRetry={retry} />}
      {answer === null && failure === null && <Skeleton lines={8} />}
      {answer !== null && (
        <Results entries={answer.data} meta={answer.meta} query={query} />
      )}
    </Page>
  );
}

function Filters({ query }: { readonly query: URLSearchParams }) {
  const [name, setName] = useState(query.get("name") ?? "");
  const [type, setType] = useState(query.get("entity_type") ?? "");
  const [specialty, setSpecialty] = useState(query.get("specialty") ?? "");
  const { answer } = useAsk<TaxonomyCount[]>(
    specialty === ""
      ? null
      : `/explore/taxonomies?${new URLSearchParams({ q: specialty })}`,
  );
  return (
    <search>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          navigate(addressOf({ name, entity_type: type, specialty }));
        }}
      >
        <Field
          label="Name"
          type="search"
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        <Combobox
          label="Specialty"
          value={specialty}
          onChange={setSpecialty}
          onChoose={({ text }) => setSpecialty(text)}
          options={(answer?.data ?? []).map(({ code, count, description }) => ({
            value: code,
            text: description ?? code,
            note: count.toLocaleString("en-US"),
          }))}
        />
        <Select
          label="Type"
          options={TYPES}
          value={type}
          onChange={(event) => setType(event.target.value)}
        />
        <Button type="submit" look="primary">
          Search
        </Button>
      </form>
    </search>
  );
}

function Results({
  entries,
  meta: { limit, page, total },
  query,
}: {
  readonly entries: readonly SearchEntry[];
  readonly meta: SearchMeta;
  readonly query: URLSearchParams;
}) {
  const [isRequestShown, setRequestShown] = useState(false);
  const lastPage = Math.max(1, Math.ceil(total / limit));
  if (total === 0)
    return <EmptyState title="Nobody is like this.">Ask for less.</EmptyState>;
  return (
    <>
      <p role="status">{total.toLocaleString("en-US")} providers</p>
      <Button onClick={() => setRequestShown(true)}>API request</Button>
      <Dialog
        title="The API request of this page"
        isOpen={isRequestShown}
        onClose={() => setRequestShown(false)}
      >
        <CodeTabs
          request={{ path: "/v1/providers/search", query: [...query] }}
        />
        <Button onClick={() => setRequestShown(false)}>Close</Button>
      </Dialog>
      <ul>
        {entries.map((entry) => (
          <li key={entry.npi}>
            <Link href={`/npi/${entry.npi}`}>{nameOf(entry)}</Link>
          </li>
        ))}
      </ul>
      <Pagination
        page={page}
        hasNext={page < lastPage}
        lastPage={lastPage}
        hrefOf={(to) =>
          addressOf({ ...Object.fromEntries(query), page: String(to) })
        }
      />
    </>
  );
}

/** The explorer's address with those parameters that say something. */
function addressOf(parameters: Readonly<Record<string, string>>): string {
  const given = Object.entries(parameters).filter(([, value]) => value !== "");
  return given.length === 0 ? "/" : `/?${new URLSearchParams(given)}`;
}

function nameOf({ name, npi, organization_name: organization }: SearchEntry) {
  const person = [name?.first, name?.last].filter(Boolean).join(" ");
  return organization ?? (person === "" ? `NPI ${npi}` : person);
}
