import { useEffect, useState, type ReactNode } from "react";
import { flushSync } from "react-dom";
import { guidePage } from "../../site/guide-pages.ts";
import { DISCLAIMER } from "../../site/portal-config.ts";
import { CodeTabs } from "../components/code-tabs.tsx";
import { Button, CopyButton } from "../components/button.tsx";
import { useConfig } from "../api/config.ts";
import { formatDay } from "../format.ts";
import { Link } from "../shell/router.tsx";
import { Contact } from "./contact.tsx";
import {
  Endpoints,
  Identifiers,
  Locations,
  Mailing,
  Official,
  OtherNames,
  Taxonomies,
} from "./details.tsx";
import { History } from "./history.tsx";
import { PART_TITLES } from "./labels.ts";
import { Overview, npiLink } from "./overview.tsx";
import type { HistoryEntry } from "../../contract/explorer/notes.ts";
import type { ProviderRecord } from "../../contract/provider.ts";
import { ALL_PARTS, DETAIL_PARTS } from "../../contract/detail-parts.ts";
import styles from "./provider.module.css";
import { Alert, Tag } from "../components/elements.tsx";
import { meaningOf } from "./fields.tsx";

/** The registry's public page of an NPI. */
const REGISTRY_PAGES = "https://npiregistry.cms.hhs.gov/provider-view/";

/** Shows a provider's record: what a caller needs first, then everything else. */
export function RecordView({
  history,
  point,
  record,
}: {
  readonly record: ProviderRecord;
  readonly history: readonly HistoryEntry[];
  /** The center of the practice location's ZIP, if known. */
  readonly point: readonly [number, number] | null;
}) {
  const { demo, guide } = useConfig();
  const { identity, locations = [], npi, other_names: names = [] } = record;
  const { endpoints = [], identifiers = [], taxonomies = [] } = record;
  const isIncluded = DETAIL_PARTS.some((part) => record[part] !== undefined);
  return (
    <>
      <PrintedFrom />
      <p className={styles.recordHead}>
        <Tag look={record.status === "active" ? "good" : "warning"}>
          {record.status === "active" ? "Active" : "Deactivated"}
        </Tag>
        <span>
          NPI <strong className="number-text">{npi}</strong>
        </span>
        <CopyButton label="Copy NPI" text={npi} />
        <Button look="quiet" onClick={() => print()}>
          Print
        </Button>
      </p>
      <Deactivation record={record} />
      <Contact record={record} point={point} />
      <div className={styles.record}>
        <div className={styles.recordIdentity}>
          <Part title="Identity">
            <Overview record={record} />
            {!demo && (
              <p className="hint">
                <a href={`${REGISTRY_PAGES}${npi}`} rel="noreferrer">
                  As the registry shows it
                </a>{" "}
                (npiregistry.cms.hhs.gov)
              </p>
            )}
          </Part>
        </div>
        <div className={styles.recordMain}>
          <Part title={PART_TITLES.taxonomies} isShown={taxonomies.length > 0}>
            <Taxonomies taxonomies={taxonomies} />
          </Part>
          <Part title={PART_TITLES.other_names} isShown={names.length > 0}>
            <OtherNames names={names} />
          </Part>
          <Part title={PART_TITLES.locations} isShown={locations.length > 0}>
            <Locations locations={locations} />
          </Part>
          <Part
            title={PART_TITLES.identifiers}
            isShown={identifiers.length > 0}
          >
            <Identifiers identifiers={identifiers} />
          </Part>
          <Part title={PART_TITLES.endpoints} isShown={endpoints.length > 0}>
            <Endpoints endpoints={endpoints} />
          </Part>
          <div className={styles.recordPast}>
            <Part title="History">
              <History entries={history} />
            </Part>
          </div>
        </div>
        <div className={styles.recordAside}>
          {record.mailing_address && (
            <Part title={PART_TITLES.mailing_address}>
              <Mailing address={record.mailing_address} />
            </Part>
          )}
          {identity?.authorized_official && (
            <Part title={PART_TITLES["identity.authorized_official"]}>
              <Official official={identity.authorized_official} />
            </Part>
          )}
        </div>
      </div>
      <p className={styles.recordNote}>{DISCLAIMER}</p>
      {guidePage("searching", guide) !== undefined && (
        <p className={styles.recordHelp}>
          <Link href="/guide/searching#what-a-record-confirms">
            What a record means, and what it doesn’t confirm
          </Link>
        </p>
      )}
      <div className={styles.recordApi}>
        <Part title="API request">
          <CodeTabs
            request={{
              path: `/v1/providers/${npi}`,
              query: isIncluded ? [["include", ALL_PARTS]] : [],
            }}
          />
        </Part>
      </div>
    </>
  );
}

/** Says on paper where and when a record was printed, and from which data. */
function PrintedFrom() {
  const { data_date: dataDate, demo, name, source } = useConfig();
  const [printed, setPrinted] = useState("");
  useEffect(() => {
    const note = () => {
      const now = new Date().toLocaleString("en-US", {
        dateStyle: "long",
        timeStyle: "long",
      });
      // The page is printed as it is when the event ends.
      flushSync(() => setPrinted(now));
    };
    addEventListener("beforeprint", note);
    return () => removeEventListener("beforeprint", note);
  }, []);
  return (
    <p className={styles.recordNote}>
      <strong>
        {name}
        {demo && " – Demo data"}
      </strong>
      <br />
      Source: {source}
      {dataDate !== null && `, data through ${formatDay(dataDate)}`}
      <br />
      Printed {printed} from {location.href}
    </p>
  );
}

function Part({
  children,
  isShown = true,
  title,
}: {
  readonly title: string;
  readonly isShown?: boolean;
  readonly children: ReactNode;
}) {
  return (
    isShown && (
      <section className={styles.recordPart}>
        <h2>{title}</h2>
        {children}
      </section>
    )
  );
}

/** Says what a deactivated NPI means; nothing for an active one. */
function Deactivation({ record }: { readonly record: ProviderRecord }) {
  const { deactivation_date: date, entity_type: type, identity } = record;
  if (record.status === "active") return null;
  const reason = meaningOf(identity?.deactivation_reason ?? null);
  const replacement = identity?.replacement_npi ?? null;
  return (
    <Alert kind="warning" title="This NPI is deactivated">
      <p>
        {date === null
          ? "The provider no longer has it."
          : `The provider no longer has it since ${formatDay(date)}.`}
        {reason !== null && ` The reason: ${reason}.`}
        {type === null
          ? " The registry publishes only the number and the date of a deactivated NPI."
          : " The details below are the last ones that were published: don’t rely on them."}
      </p>
      {replacement !== null && (
        <p>It was replaced by {npiLink(replacement)}.</p>
      )}
    </Alert>
  );
}
