import { useEffect, useState } from "react";
import statesUrl from "virtual:map-shapes/states";
import surroundingsUrl from "virtual:map-shapes/surroundings";
import { formatCount, providerCount } from "../format.ts";
import {
  circleLine,
  type Bounds,
  type MapCircle,
  type MapPoint,
} from "./map-points.ts";
import {
  clustersOf,
  pathOf,
  projectionOf,
  radiusOf,
  STILL_SIZE,
} from "./still-picture.ts";
import styles from "./map.module.css";

/** The same map as a picture that can't be moved, for browsers without WebGL. Its points are buttons. */
export function StillMap({
  bounds,
  circle,
  onSelect,
  points,
}: {
  readonly points: readonly MapPoint[];
  readonly circle: MapCircle | null;
  readonly bounds: Bounds;
  readonly onSelect: (keys: readonly string[]) => void;
}) {
  const states = useShapes(statesUrl);
  const surroundings = useShapes(surroundingsUrl);
  const projection = projectionOf(bounds);
  const path = (features: readonly GeoJSON.Feature[], kind: string): string =>
    features
      .filter(({ properties }) => properties?.["kind"] === kind)
      .map(({ geometry }) => pathOf(geometry, projection))
      .join("");
  const [width, height] = STILL_SIZE;
  return (
    <svg
      className={
        states.length === 0 ? styles.still : `${styles.still} ${styles.isDrawn}`
      }
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="xMidYMid slice"
      role="group"
      aria-label="Map, as a picture"
    >
      <path className={styles.stillAbroad} d={path(surroundings, "land")} />
      <path className={styles.stillWater} d={path(surroundings, "water")} />
      <path className={styles.stillLand} d={path(states, "land")} />
      <path className={styles.stillWater} d={path(surroundings, "lake")} />
      <path className={styles.stillBorder} d={path(states, "border")} />
      {circle !== null && (
        <path
          className={styles.stillCircle}
          d={pathOf(
            { type: "Polygon", coordinates: [circleLine(circle)] },
            projection,
          )}
        />
      )}
      {clustersOf(points, projection).map(({ count, keys, x, y }) => (
        <g
          key={keys[0]}
          className={styles.stillPoint}
          role="button"
          tabIndex={0}
          aria-label={providerCount(count)}
          onClick={() => onSelect(keys)}
          onKeyDown={(event) => {
            if (event.key !== "Enter" && event.key !== " ") return;
            event.preventDefault();
            onSelect(keys);
          }}
        >
          <circle cx={x} cy={y} r={radiusOf(count)} />
          {count > 1 && (
            <text x={x} y={y}>
              {formatCount(count)}
            </text>
          )}
        </g>
      ))}
    </svg>
  );
}

/** A file of shapes; none until it is loaded, or if it can't be. */
function useShapes(url: string): readonly GeoJSON.Feature[] {
  const [features, setFeatures] = useState<readonly GeoJSON.Feature[]>([]);
  useEffect(() => {
    const leaving = new AbortController();
    const { signal } = leaving;
    fetch(url, { signal })
      .then((response) => response.json())
      .then((shapes: GeoJSON.FeatureCollection) => setFeatures(shapes.features))
      .catch(() => undefined);
    return () => leaving.abort();
  }, [url]);
  return features;
}
