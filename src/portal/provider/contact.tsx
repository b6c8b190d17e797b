import { useMemo } from "react";
import type { ProviderRecord } from "../../contract/provider.ts";
import { saveFile } from "../api/save-file.ts";
import { Button } from "../components/button.tsx";
import { MapPanel } from "../map/map-panel.tsx";
import { pointsOfEntries } from "../map/map-points.ts";
import { Link } from "../shell/router.tsx";
import { directionsTo, phoneText } from "./contact-text.ts";
import { AddressText, FactsList, phoneLink } from "./fields.tsx";
import { FIELD_LABELS, PART_TITLES } from "./labels.ts";
import { vcardOf } from "./vcard.ts";
import { serviceUrl } from "../public-path.ts";
import styles from "./provider.module.css";

/** Shows the contact: address, phone, and directions, with a map. */
export function Contact({
  point,
  record,
}: {
  readonly record: ProviderRecord;
  /** The center of the practice location's ZIP, if known. */
  readonly point: readonly [number, number] | null;
}) {
  const { identity, practice_address: address } = record;
  const points = useMemo(() => pointsOfEntries([point]), [point]);
  if (address === null && !identity?.phone) return null;
  const zip = address?.postal_code?.slice(0, 5) ?? "";
  return (
    <section className={styles.contact} aria-labelledby="practice">
      <div>
        <h2 id="practice">{PART_TITLES.practice_address}</h2>
        {address !== null && <AddressText address={address} />}
        <FactsList
          facts={[
            [FIELD_LABELS["identity.phone"], phoneLink(identity?.phone)],
            [
              FIELD_LABELS["identity.fax"],
              identity?.fax && phoneText(identity.fax),
            ],
          ]}
        />
        <Actions record={record} />
        {point !== null && (
          <p className="hint">
            <Link
              href={`/?${new URLSearchParams({ zip, radius: "10" }).toString()}`}
            >
              Find providers nearby
            </Link>
          </p>
        )}
      </div>
      {point !== null && (
        <div className={styles.contactMap}>
          <MapPanel
            label="Map of the practice location"
            points={points}
            renderCard={() => <p>The center of ZIP {zip}.</p>}
          />
          <p className="hint">
            The map shows the center of ZIP {zip}, not the exact address.
          </p>
        </div>
      )}
    </section>
  );
}

function Actions({ record }: { readonly record: ProviderRecord }) {
  const { npi, practice_address: address } = record;
  const directions = address && directionsTo(address, navigator.userAgent);
  return (
    <p className={styles.actions}>
      {directions !== null && (
        <a
          className="button button-plain"
          href={directions.href}
          rel="noreferrer"
        >
          Directions in {directions.opens}
        </a>
      )}
      <Button
        onClick={() => {
          const card = vcardOf(record, `${serviceUrl()}/npi/${npi}`);
          saveFile(new Blob([card], { type: "text/vcard" }), `npi-${npi}.vcf`);
        }}
      >
        Save contact
      </Button>
    </p>
  );
}
