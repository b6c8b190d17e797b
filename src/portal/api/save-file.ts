/** The browser reads a file after the click. */
const KEPT_MS = 60_000;

/** Saves a file as if a link to it was followed. False if the browser has no room for it. */
export function saveFile(file: Blob, name: string): boolean {
  const link = document.createElement("a");
  try {
    link.href = URL.createObjectURL(file);
  } catch {
    return false;
  }
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), KEPT_MS);
  return true;
}
