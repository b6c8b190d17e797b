import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** A certificate that no one else signed, in PEM. */
export interface Certificate {
  readonly certificate: string;
  readonly key: string;
  /** A file with both. */
  readonly file: string;
}

/** Makes a certificate of a host in a folder. */
export function makeCertificate(folder: string, host: string): Certificate {
  const keyFile = join(folder, "key.pem");
  const certificateFile = join(folder, "certificate.pem");
  const file = join(folder, `${host}.pem`);
  const made = spawnSync(
    "openssl",
    (
      "req -x509 -nodes -newkey ec -pkeyopt ec_paramgen_curve:P-256 " +
      `-subj /CN=${host} -keyout key.pem -out certificate.pem`
    ).split(" "),
    { cwd: folder, encoding: "utf8" },
  );
  if (made.status !== 0) throw new Error(made.stderr);
  const key = readFileSync(keyFile, "utf8");
  const certificate = readFileSync(certificateFile, "utf8");
  writeFileSync(file, certificate + key);
  return { certificate, key, file };
}
