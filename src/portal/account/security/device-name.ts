/** In this order, because most browsers also name others. */
const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(e|A|iOS)?\//, "Edge"],
  [/\b(OPR|Opera)\//, "Opera"],
  [/\bSamsungBrowser\//, "Samsung Internet"],
  [/\b(Firefox|FxiOS)\//, "Firefox"],
  [/\b(Headless)?(Chrome|CriOS|Chromium)\//, "Chrome"],
  [/\bSafari\//, "Safari"],
  [/^curl\//, "curl"],
];
const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/\biPhone\b/, "iPhone"],
  [/\biPad\b/, "iPad"],
  [/\bAndroid\b/, "Android"],
  [/\bWindows\b/, "Windows"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bMac OS X\b|\bMacintosh\b/, "macOS"],
  [/\bLinux\b/, "Linux"],
];

/** Reads `Firefox on Windows` from a user agent. */
export function deviceName(userAgent: string | null | undefined): string {
  const browser = firstIn(BROWSERS, userAgent ?? "");
  const system = firstIn(SYSTEMS, userAgent ?? "");
  if (browser === null) return system ?? "Unknown device";
  return system === null ? browser : `${browser} on ${system}`;
}

function firstIn(
  names: readonly (readonly [RegExp, string])[],
  text: string,
): string | null {
  return names.find(([pattern]) => pattern.test(text))?.[1] ?? null;
}
