/** Programs of Debian's packages, which tests install. */

import { spawnSync } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { userInfo } from "node:os";

const MINUTES = 60_000;

/** Why a program is missing that a Debian package has, false if it is there. As root it is installed, once. */
export function missingProgram(file: string, name: string): string | false {
  if (isProgram(file)) return false;
  if (userInfo().uid !== 0)
    return `${file} is missing: install Debian's package ${name}, or run the tests as root`;
  // Files of tests run at the same time.
  const installed = spawnSync(
    "flock",
    [
      "/tmp/tests-apt-get.lock",
      "sh",
      "-c",
      `test -x ${file} || { install() { apt-get install -y --no-install-recommends ${name}; }; install || { apt-get update && install; }; }`,
    ],
    {
      encoding: "utf8",
      timeout: 5 * MINUTES,
      env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
    },
  );
  return isProgram(file)
    ? false
    : `${file} is missing, and Debian's package ${name} cannot be installed: ${installed.stderr?.trim().split("\n").at(-1) ?? String(installed.error)}`;
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
