/** The shipped HAProxy file in front of a primary and its standby, as it is but for addresses. */

import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "../pure/temporary-folder.ts";
import { until } from "../pure/until.ts";
import type { TestPostgresql } from "../postgresql/postgresql-server.ts";
import { socketIn, type TestPlace } from "../postgresql/test-databases.ts";
import { ending, HAPROXY, HAPROXY_KIND, shipped } from "./balancer.ts";

/** Why it cannot run here, or false. */
export const NO_PRIMARY_PROXY = HAPROXY_KIND.missing;

export interface PrimaryProxy extends AsyncDisposable {
  /** The way to the same database on the primary. */
  through(place: TestPlace): TestPlace;
}

/** Makes a standby, and starts the proxy in front of both. */
export async function startPrimaryProxy(
  primary: TestPostgresql,
): Promise<PrimaryProxy & { readonly standby: TestPostgresql }> {
  await using owned = new AsyncDisposableStack();
  await primary.admitHaproxy();
  const standby = owned.use(await primary.startStandby());
  await standby.catchUp();
  const folder = owned.use(temporaryFolder());
  const file = join(folder.path, "haproxy.cfg");
  // The servers' sockets are outside of its root.
  writeFileSync(
    file,
    shipped("haproxy-postgresql.cfg").replace(/^ +chroot .+\n/m, ""),
  );
  const child = spawn(HAPROXY, ["-db", "-f", file], {
    env: {
      DB1: socketIn(primary.folder),
      DB2: socketIn(standby.folder),
      BIND: socketIn(folder.path),
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let out = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => (out += text));
  owned.use(ending(child));
  // A new server counts as up until its first check.
  await until("HAProxy to tell the standby from the primary", () => {
    if (child.exitCode !== null) throw new Error(`HAProxy ended:\n${out}`);
    return out.includes("Server primary/db2 is DOWN");
  });
  const running = owned.move();
  return {
    standby,
    through: ({ url, ...place }) => ({
      ...place,
      url: url.replace(/@[^/]+/, `@${encodeURIComponent(folder.path)}`),
    }),
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}
