/** The custom properties that the map's colors come from. */
const TOKENS = {
  water: "--map-water",
  land: "--map-land",
  abroad: "--map-abroad",
  shore: "--map-shore",
  county: "--map-county",
  border: "--map-border",
  name: "--map-name",
  city: "--map-city",
  road: "--map-road",
  green: "--map-green",
  accent: "--color-accent",
  onAccent: "--color-on-accent",
  halo: "--color-page",
  marked: "--map-marked",
} as const;

export type MapColors = Readonly<Record<keyof typeof TOKENS, string>>;

/** Reads the current theme's colors in a map's element. Browsers resolve custom properties only on an element. */
export function mapColors(within: HTMLElement): MapColors {
  const probe = document.createElement("span");
  probe.hidden = true;
  within.append(probe);
  const colors = Object.entries(TOKENS).map(([name, token]) => {
    probe.style.color = `var(${token})`;
    return [name, getComputedStyle(probe).color];
  });
  probe.remove();
  return Object.assign({ ...TOKENS }, Object.fromEntries(colors));
}

/** Calls on each change of the theme, by the user or the system. Returns a function that stops it. */
export function onThemeChange(changed: () => void): () => void {
  const ending = new AbortController();
  matchMedia("(prefers-color-scheme: dark)").addEventListener(
    "change",
    changed,
    { signal: ending.signal },
  );
  const observer = new MutationObserver(changed);
  observer.observe(document.documentElement, {
    attributeFilter: ["data-theme"],
  });
  return () => {
    ending.abort();
    observer.disconnect();
  };
}
