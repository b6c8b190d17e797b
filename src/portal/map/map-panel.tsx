import {
  useEffect,
  useEffectEvent,
  useMemo,
  useRef,
  useState,
  type ReactNode,
  type RefObject,
} from "react";
import { Button } from "../components/button.tsx";
import { useConfig } from "../api/config.ts";
import { useQuery } from "../api/use-query.ts";
import type { MapBounds, MapPlace } from "../../contract/explorer/map.ts";
import {
  type MapArea,
  boundsOf,
  type MapCircle,
  type MapPoint,
} from "./map-points.ts";
import type { ProviderMap } from "./provider-map.ts";
import type { MapTiles } from "./tiles.ts";
import styles from "./map.module.css";

const NONE: readonly string[] = [];

/** Shows points on a map. Its code loads just before it scrolls into view; if it can't be drawn, a sentence says so. */
export function MapPanel({
  bounds: framed,
  children,
  circle = null,
  label,
  marked = null,
  onChoose,
  onMove,
  points,
  renderCard,
}: {
  /** The accessible name of the map's region. */
  readonly label: string;
  /** Must be the same array while the points are the same. */
  readonly points: readonly MapPoint[];
  readonly circle?: MapCircle | null;
  /**
   * The area shown until the user moves the map; that of the points or the circle if not given. Must be the same array
   * while it is the same.
   */
  readonly bounds?: MapBounds;
  /** A place to mark. */
  readonly marked?: readonly [lat: number, lng: number] | null;
  /** Called with the keys of the points that the user chooses; with none if the user leaves them. */
  readonly onChoose?: (keys: readonly string[]) => void;
  /** Called when the user has moved the map. */
  readonly onMove?: (area: MapArea) => void;
  /** Renders the card of the chosen points. */
  readonly renderCard: (keys: readonly string[]) => ReactNode;
  /** Content over the map. */
  readonly children?: ReactNode;
}) {
  const holder = useRef<HTMLDivElement>(null);
  const [selected, setSelected] = useState(NONE);
  const choose = (keys: readonly string[]) => {
    setSelected(keys);
    onChoose?.(keys);
  };
  const { isMissing, map } = useProviderMap(holder, choose, (area) =>
    onMove?.(area),
  );
  const cities = useQuery<MapPlace[]>(map === null ? null : "/explore/places");
  const bounds = useMemo(
    () => framed ?? boundsOf(points, circle),
    [circle, framed, points],
  );
  useEffect(() => map?.show(points, circle), [circle, map, points]);
  useEffect(() => map?.fit(bounds), [bounds, map]);
  useEffect(() => map?.mark(marked), [map, marked]);
  useEffect(() => map?.name(cities.answer?.data ?? []), [cities.answer, map]);
  const shown = points.filter(({ key }) => selected.includes(key));
  return (
    <section className={styles.map} aria-label={label}>
      {isMissing ? (
        <p className={styles.mapMissing}>
          This browser can’t draw the map. Everything on it is also shown as
          text.
        </p>
      ) : (
        <>
          <div ref={holder} className={styles.mapHolder} />
          <p className={styles.mapLoading}>Loading the map…</p>
        </>
      )}
      {children}
      <div role="status">
        {shown.length > 0 && (
          <div className={styles.mapCard}>
            {renderCard(shown.map(({ key }) => key))}
            <Button
              look="quiet"
              className={styles.mapCardClose}
              onClick={() => choose(NONE)}
            >
              Close
            </Button>
          </div>
        )}
      </div>
    </section>
  );
}

/** Makes the map in an element, once it is about to be seen; missing if this browser can't draw it. */
function useProviderMap(
  holder: RefObject<HTMLDivElement | null>,
  select: (keys: readonly string[]) => void,
  move: (area: MapArea) => void,
): { readonly map: ProviderMap | null; readonly isMissing: boolean } {
  const { tile_attribution: attribution, tile_url: tileUrl } = useConfig();
  const [isNear, setNear] = useState(false);
  const [map, setMap] = useState<ProviderMap | null>(null);
  const [isMissing, setMissing] = useState(false);
  // The map keeps these functions, and each drawing has new ones.
  const onSelected = useEffectEvent(select);
  const onMoved = useEffectEvent(move);

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
      const [{ createProviderMap }, tiles] = await Promise.all([
        import("./provider-map.ts"),
        tileUrl === null ? null : tilesAt(tileUrl, attribution),
      ]);
      signal.throwIfAborted();
      // React removes the element a moment before it ends the effect.
      if (!container.isConnected) return;
      const options = { onMove: onMoved, onSelect: onSelected, tiles };
      setMap(await createProviderMap(container, options, signal));
    };
    draw().catch(() => {
      if (!signal.aborted) setMissing(true);
    });
    return () => {
      leaving.abort();
      setMap(null);
    };
  }, [attribution, holder, isNear, tileUrl]);
  return { isMissing, map };
}

/** Opens the operator's tiles; null if they can't be loaded, so that the built-in shapes are drawn. */
async function tilesAt(
  url: string,
  attribution: string | null,
): Promise<MapTiles | null> {
  try {
    const { openTiles } = await import("./open-tiles.ts");
    return await openTiles(url, attribution);
  } catch (error) {
    console.warn(`The map's tiles at ${url} can't be used:`, error);
    return null;
  }
}

/** True if the map can be drawn, asked before its code is loaded. */
function hasWebGl(): boolean {
  const context = document.createElement("canvas").getContext("webgl2");
  // Browsers allow only a few at a time.
  context?.getExtension("WEBGL_lose_context")?.loseContext();
  return context !== null;
}
