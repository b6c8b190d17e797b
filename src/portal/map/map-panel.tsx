import {
  useEffect,
  useMemo,
  useRef,
  useState,
  type ReactNode,
  type RefObject,
} from "react";
import { Button } from "../components/button.tsx";
import { useConfig } from "../api/config.ts";
import { boundsOf, type MapCircle, type MapPoint } from "./map-points.ts";
import type { ProviderMap } from "./provider-map.ts";
import { StillMap } from "./still-map.tsx";
import styles from "./map.module.css";

const NONE: readonly string[] = [];

/** A map of points. Its code is loaded just before it scrolls into view; without WebGL it is a still picture. */
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
  /** What to show about the chosen points. */
  readonly renderCard: (keys: readonly string[]) => ReactNode;
}) {
  const holder = useRef<HTMLDivElement>(null);
  const [selected, setSelected] = useState(NONE);
  const { isStill, map } = useProviderMap(holder, setSelected);
  const bounds = useMemo(
    () => boundsOf(points, circle, includesCountry),
    [circle, includesCountry, points],
  );
  useEffect(() => map?.show(points, circle), [circle, map, points]);
  useEffect(() => map?.fit(bounds), [bounds, map]);
  const shown = points.filter(({ key }) => selected.includes(key));
  return (
    <section className={styles.map} aria-label={label}>
      {isStill ? (
        <StillMap
          bounds={bounds}
          circle={circle}
          points={points}
          onSelect={setSelected}
        />
      ) : (
        <div ref={holder} className={styles.mapHolder} />
      )}
      <div role="status">
        {shown.length > 0 && (
          <div className={styles.mapCard}>
            {renderCard(shown.map(({ key }) => key))}
            <Button
              look="quiet"
              className={styles.mapCardClose}
              onClick={() => setSelected(NONE)}
            >
              Close
            </Button>
          </div>
        )}
      </div>
    </section>
  );
}

/** The map in an element, from when it is about to be seen; a still picture if this browser can't draw it. */
function useProviderMap(
  holder: RefObject<HTMLDivElement | null>,
  onSelect: (keys: readonly string[]) => void,
): { readonly map: ProviderMap | null; readonly isStill: boolean } {
  const { tile_attribution: attribution, tile_url: tileUrl } = useConfig();
  const [isNear, setNear] = useState(false);
  const [map, setMap] = useState<ProviderMap | null>(null);
  const [isStill, setStill] = useState(false);

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
  }, [holder]);

  useEffect(() => {
    const container = holder.current;
    if (!isNear || container === null) return undefined;
    const leaving = new AbortController();
    const { signal } = leaving;
    const draw = async () => {
      if (!hasWebGl()) throw new Error("This browser has no WebGL.");
      const [{ createProviderMap }, { openTiles }] = await Promise.all([
        import("./provider-map.ts"),
        import("./tiles.ts"),
      ]);
      signal.throwIfAborted();
      const tiles = tileUrl === null ? null : openTiles(tileUrl, attribution);
      const options = { onMove: () => undefined, onSelect, tiles };
      setMap(await createProviderMap(container, options, signal));
    };
    draw().catch(() => {
      if (!signal.aborted) setStill(true);
    });
    return () => {
      leaving.abort();
      setMap(null);
    };
  }, [attribution, holder, isNear, onSelect, tileUrl]);
  return { isStill, map };
}

/** Whether the map can be drawn, asked before its code is loaded. */
function hasWebGl(): boolean {
  const context = document.createElement("canvas").getContext("webgl2");
  // Browsers allow only a few at a time.
  context?.getExtension("WEBGL_lose_context")?.loseContext();
  return context !== null;
}
