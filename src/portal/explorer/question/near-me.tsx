import { useEffect, useRef, useState } from "react";
import { Button } from "../../components/button.tsx";
import { navigate } from "../../shell/router.tsx";
import { searchHref, toKind, type ExplorerSearch } from "../explorer-search.ts";
import styles from "./question.module.css";

const MAX_WAIT_MS = 15_000;
/** About half a mile: distances use ZIP code centers anyway, and users share the address. */
const DECIMALS = 2;

const REFUSED =
  "Your browser blocked access to your location. Enter a ZIP code instead.";
const UNKNOWN =
  "Your browser couldn’t find your location. Enter a ZIP code instead.";

/** Searches around the user's location, as the browser reports it. */
export function NearMe({ search }: { readonly search: ExplorerSearch }) {
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const isHere = useRef(true);
  const newest = useRef(search);
  useEffect(() => {
    newest.current = search;
  }, [search]);
  useEffect(() => {
    isHere.current = true;
    return () => {
      isHere.current = false;
    };
  }, []);
  // Browsers give the location only to secure origins.
  if (!isSecureContext || !("geolocation" in navigator)) return null;

  function locate(): void {
    setBusy(true);
    setProblem(null);
    navigator.geolocation.getCurrentPosition(
      ({ coords: { latitude, longitude } }) => {
        if (!isHere.current) return;
        setBusy(false);
        const lat = latitude.toFixed(DECIMALS);
        const lng = longitude.toFixed(DECIMALS);
        const radius = newest.current.parameters.get("radius") ?? "";
        navigate(
          searchHref(toKind("nearby", newest.current, { lat, lng, radius })),
        );
      },
      ({ code, PERMISSION_DENIED }) => {
        if (!isHere.current) return;
        setBusy(false);
        setProblem(code === PERMISSION_DENIED ? REFUSED : UNKNOWN);
      },
      { timeout: MAX_WAIT_MS, maximumAge: MAX_WAIT_MS },
    );
  }

  return (
    <>
      <Button isBusy={isBusy} onClick={locate}>
        {isBusy ? "Locating…" : "Use my location"}
      </Button>
      <p className={`problem ${styles.problem}`} role="status">
        {problem}
      </p>
    </>
  );
}
