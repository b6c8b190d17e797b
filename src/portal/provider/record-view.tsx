import { useMemo, type ReactNode } from "react";
import { DISCLAIMER } from "../../site/portal-config.ts";
import { CodeTabs } from "../components/code-tabs.tsx";
import { CopyButton } from "../components/copy-button.tsx";
import { StatusBadge } from "../components/status-badge.tsx";
import { useConfig } from "../api/config.ts";
import { MapPanel } from "../map/map-panel.tsx";
import { pointsOfEntries } from "../map/map-points.ts";
import { formatDay } from "../format.ts";
import { Link } from "../shell/router.tsx";
import {
  Endpoints,
  Identifiers,
  Locations,
  Official,
  OtherNames,
  Taxonomies,
} from "./details.tsx";
import { Overview } from "./overview.tsx";
import type { MailingAddress } from "../../contract/details.ts";
import type { ProviderRecord } from "../../contract/provider.ts";
import { AddressText, FactsList, phoneText } from "./fields.tsx";
import { ALL_PARTS, DETAIL_PARTS } from "../../contract/detail-parts.ts";
import styles from "./provider.module.css";

export function RecordView({
  point,
  record,
}: {
  readonly record: ProviderRecord;
  /** The center of the practice location's ZIP, if known. */
  readonly point: readonly [number, number] | null;
}) {
  const { data_date: dataDate } = useConfig();
  const { identity, locations = [], npi, other_names: names = [] } = record;
  const { endpoints = [], identifiers = [], taxonomies = [] } = record;
  const isIncluded = DETAIL_PARTS.some((part) => record[part] !== undefined);
  const isWithheld = record.entity_type === null;
  return (
    <>
      <p className={styles.recordHead}>
        <StatusBadge status={record.status} />
        <span>
          NPI <strong className="number-text">{npi}</strong>
        </span>
        <CopyButton label="Copy NPI" text={npi} />
      </p>
      <p className={styles.recordNote}>
        {DISCLAIMER}
        {dataDate !== null && ` Data through ${formatDay(dataDate)}.`}
      </p>
      {isWithheld && (
        <p>
          For a deactivated NPI, the registry publishes only the number and the
          date.
        </p>
      )}
      <div className={styles.record}>
        <div className={styles.recordMain}>
          <Part title="Overview">
            <Overview record={record} />
          </Part>
          {taxonomies.length > 0 && (
            <Part title="Specialties">
              <Taxonomies taxonomies={taxonomies} />
            </Part>
          )}
          {names.length > 0 && (
            <Part title="Other names">
              <OtherNames names={names} />
            </Part>
          )}
          {locations.length > 0 && (
            <Part title="Other practice locations">
              <Locations locations={locations} />
            </Part>
          )}
          {identity?.authorized_official && (
            <Part title="Authorized official">
              <Official official={identity.authorized_official} />
            </Part>
          )}
          {identifiers.length > 0 && (
            <Part title="Other identifiers">
              <Identifiers identifiers={identifiers} />
            </Part>
          )}
          {endpoints.length > 0 && (
            <Part title="Endpoints">
              <Endpoints endpoints={endpoints} />
            </Part>
          )}
        </div>
        <div className={styles.recordAside}>
          <Practice record={record} point={point} />
          {record.mailing_address && (
            <Part title="Mailing address">
              <Mailing address={record.mailing_address} />
            </Part>
          )}
        </div>
      </div>
      <Part title="API request">
        <CodeTabs
          request={{
            path: `/v1/providers/${npi}`,
            query: isIncluded ? [["include", ALL_PARTS]] : [],
          }}
        />
      </Part>
    </>
  );
}

function Practice({
  point,
  record: { identity, practice_address: address },
}: {
  readonly record: ProviderRecord;
  readonly point: readonly [number, number] | null;
}) {
  const points = useMemo(() => pointsOfEntries([point]), [point]);
  if (address === null) return null;
  const zip = address.postal_code?.slice(0, 5) ?? "";
  return (
    <Part title="Practice location">
      <AddressText address={address} />
      <FactsList
        facts={[
          ["Phone", identity?.phone ? phoneText(identity.phone) : null],
          ["Fax", identity?.fax ? phoneText(identity.fax) : null],
        ]}
      />
      {point !== null && (
        <>
          <MapPanel
            label="Map of the practice location"
            points={points}
            renderCard={() => <p>The center of ZIP {zip}.</p>}
          />
          <p className="hint">
            The map shows the center of ZIP {zip}, not the exact address.{" "}
            <Link href={`/?${new URLSearchParams({ zip, radius: "10" })}`}>
              Find providers nearby
            </Link>
          </p>
        </>
      )}
    </Part>
  );
}

function Mailing({ address }: { readonly address: MailingAddress }) {
  return (
    <>
      <AddressText address={address} />
      <FactsList
        facts={[
          ["Phone", address.phone && phoneText(address.phone)],
          ["Fax", address.fax && phoneText(address.fax)],
        ]}
      />
    </>
  );
}

function Part({
  children,
  title,
}: {
  readonly title: string;
  readonly children: ReactNode;
}) {
  return (
    <section className={styles.recordPart}>
      <h2>{title}</h2>
      {children}
    </section>
  );
}
