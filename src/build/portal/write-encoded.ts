import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

const brotli = promisify(brotliCompress);
const zip = promisify(gzip);

/** Formats that are already compressed. */
const PACKED = /\.(png|webp|jpg|woff2|br|gz)$/;
const MIN_BYTES = 200;
/** Larger files get a lower level: a quarter of the work for a few percent more bytes. */
const LARGE_BYTES = 1_000_000;

/** Compresses each file of a folder to `.br` and `.gz` files next to it. */
export async function writeEncoded(folder: string): Promise<void> {
  const entries = await readdir(folder, {
    recursive: true,
    withFileTypes: true,
  });
  await Promise.all(
    entries
      .filter((entry) => entry.isFile() && !PACKED.test(entry.name))
      .map(({ name, parentPath }) => encode(join(parentPath, name))),
  );
}

async function encode(path: string): Promise<void> {
  const bytes = await readFile(path);
  if (bytes.length < MIN_BYTES) return;
  const quality = bytes.length > LARGE_BYTES ? 9 : constants.BROTLI_MAX_QUALITY;
  const params = { [constants.BROTLI_PARAM_QUALITY]: quality };
  await writeFile(`${path}.br`, await brotli(bytes, { params }));
  await writeFile(`${path}.gz`, await zip(bytes, { level: 9 }));
}
