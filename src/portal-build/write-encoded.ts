import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

const brotli = promisify(brotliCompress);
const zip = promisify(gzip);

/** What is compressed already, and what is too small to gain from it. */
const PACKED = /\.(png|webp|jpg|woff2|br|gz)$/;
const LEAST_BYTES = 200;
/** Large files at a level that is a quarter of the work for a few per cent more. */
const LARGE_BYTES = 1_000_000;

/** Writes beside each file of a folder the same as `.br` and as `.gz`. */
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
  if (bytes.length < LEAST_BYTES) return;
  const quality = bytes.length > LARGE_BYTES ? 9 : constants.BROTLI_MAX_QUALITY;
  const params = { [constants.BROTLI_PARAM_QUALITY]: quality };
  await writeFile(`${path}.br`, await brotli(bytes, { params }));
  await writeFile(`${path}.gz`, await zip(bytes, { level: 9 }));
}
