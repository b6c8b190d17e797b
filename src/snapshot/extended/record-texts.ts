/** The texts of one record as UTF-8: text n is `bytes[starts[n], ends[n])`, empty if the record lacks it. */
export interface RecordTexts {
  readonly bytes: Uint8Array;
  readonly starts: Int32Array;
  readonly ends: Int32Array;
}
