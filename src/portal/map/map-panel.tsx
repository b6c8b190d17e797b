import { useEffect, useRef, useState, type ReactNode } from "react";
import { Button } from "../components/button.tsx";
import { useConfig } from "../api/config.ts";
import type { MapCircle, MapPoint } from "./map-points.ts";
import type { ProviderMap } from "./provider-map.ts";
import styles from "./map.module.css";

/** A map of points. Its code is loaded just before it scrolls into view; without WebGL a notice is shown. */
export function MapPanel({
  renderCard,
  circle = null,
  includesCountry = false,
  label,
  points,
}: {
  /** What the map shows: the accessible name of its region. */
  readonly label: string;
  /** Must be the same array while the points are the same. */
  readonly points: readonly MapPoint[];
  readonly circle?: MapCircle | null;
  /** Whether to show the whole country as well. */
  readonly includesCountry?: boolean;
  /** What to show about the clicked point. */
  readonly renderCard: (key: string) => ReactNode;
}) {
  const { tile_attribution: attribution, tile_url: tileUrl } = useConfig();
  const holder = useRef<HTMLDivElement>(null);
  const [isNear, setNear] = useState(false);
  const [map, setMap] = useState<ProviderMap | null>(null);
  const [isFailed, setFailed] = useState(false);
  const [selected, setSelected] = useState<string | null>(null);

  useEffect(() => {
    if (holder.current === null) return undefined;
    const observer = new IntersectionObserver(
      (seen) => {
        if (seen.some(({ isIntersecting }) => isIntersecting)) setNear(true);
      },
      { rootMargin: "200px" },
    );
    observer.observe(holder.current);
    return () => observer.disconnect();
  }, []);

  useEffect(() => {
    const container = holder.current;
    if (!isNear || container === null) return undefined;
    const leaving = new AbortController();
    const { signal } = leaving;
    const draw = async () => {
      const { createProviderMap } = await import("./provider-map.ts");
      signal.throwIfAborted();
      const options = { attribution, onSelect: setSelected, tileUrl };
      setMap(await createProviderMap(container, options, signal));
    };
    draw().catch(() => {
      if (!signal.aborted) setFailed(true);
    });
    return () => {
      leaving.abort();
      setMap(null);
    };
  }, [attribution, isNear, tileUrl]);

  useEffect(() => {
    map?.show(points, circle, includesCountry);
  }, [circle, includesCountry, map, points]);

  const card =
    selected !== null && points.some(({ key }) => key === selected)
      ? renderCard(selected)
      : null;
  return (
    <section className={styles.map} aria-label={label}>
      <div ref={holder} className={styles.mapHolder} hidden={isFailed} />
      {isFailed && (
        <p className={styles.mapFailed} role="status">
          This browser can’t draw the map. The page shows the same information
          as text.
        </p>
      )}
      <div role="status">
        {card !== null && (
          <div className={styles.mapCard}>
            {card}
            <Button
              look="quiet"
              className={styles.mapCardClose}
              onClick={() => setSelected(null)}
            >
              Close
            </Button>
          </div>
        )}
      </div>
    </section>
  );
}
