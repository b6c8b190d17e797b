/** A part of a list: so many rows, behind so many others. */
export interface Page {
  readonly limit: number;
  readonly offset: number;
}
