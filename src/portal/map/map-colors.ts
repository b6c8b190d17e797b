/** The design tokens that the map uses. */
const TOKENS = {
  page: "--color-page",
  surface: "--color-surface",
  line: "--color-line",
  edge: "--color-edge",
  muted: "--color-muted",
  accent: "--color-accent",
  onAccent: "--color-on-accent",
} as const;

export type MapColors = Readonly<Record<keyof typeof TOKENS, string>>;

/** The current theme's colors. Browsers resolve custom properties only on an element. */
export function mapColors(): MapColors {
  const probe = document.createElement("span");
  probe.hidden = true;
  document.body.append(probe);
  const color = (token: string): string => {
    probe.style.color = `var(${token})`;
    return getComputedStyle(probe).color;
  };
  const colors = {
    page: color(TOKENS.page),
    surface: color(TOKENS.surface),
    line: color(TOKENS.line),
    edge: color(TOKENS.edge),
    muted: color(TOKENS.muted),
    accent: color(TOKENS.accent),
    onAccent: color(TOKENS.onAccent),
  };
  probe.remove();
  return colors;
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
