const LF = 0x0a;

/** Yields the values of whole lines of NDJSON. */
export function* recordsOf(lines: Uint8Array): Generator {
  const text = Buffer.from(lines.buffer, lines.byteOffset, lines.length);
  let from = 0;
  for (let to = text.indexOf(LF); to >= 0; to = text.indexOf(LF, from)) {
    yield JSON.parse(text.toString("utf8", from, to));
    from = to + 1;
  }
}
