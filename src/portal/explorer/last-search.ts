let address: string | null = null;

/** Remembers where the reader searched, as long as the page is open. */
export function keepSearch(searched: string): void {
  address = searched;
}

/** Where the reader searched last; null for one who came from elsewhere. */
export function lastSearch(): string | null {
  return address;
}
