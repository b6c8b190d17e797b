/** Facts by name, for people and programs: what `search --explain` prints. */
export interface Facts {
  readonly [name: string]: Fact;
}

export type Fact = string | number | boolean | null | Facts | readonly Fact[];
