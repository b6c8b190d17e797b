/** The real service with its portal, in its own process. */

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { env } from "node:process";
import type { Environment } from "../../src/settings/setting-reader.ts";
import {
  startMailServer,
  type MailServer,
} from "../support/app/servers/mail-server.ts";
import { ProgramProcess, succeed } from "../support/program/program.ts";
import { temporaryFolder } from "../support/pure/temporary-folder.ts";
import { freePort } from "../support/pure/free-port.ts";

/** The variable with the address of the run's demo. */
export const DEMO_OF_RUN = "TEST_DEMO_URL";

/** A service in its own process. */
export interface PortalService extends AsyncDisposable {
  /** Without a trailing slash. */
  readonly url: string;
  readonly program: ProgramProcess;
  /** The demo's API key; null for an installation. */
  readonly key: string | null;
  /** The emails it sent; a demo prints its emails instead. */
  readonly mail: MailServer;
}

/** What `npm start` gives: 600 invented providers, an open explorer, sign-up with mails in the terminal. */
export async function startDemo(
  environment: Environment = {},
): Promise<PortalService> {
  await using owned = new AsyncDisposableStack();
  const folder = owned.use(temporaryFolder());
  const mail = owned.use(await startMailServer());
  const program = owned.use(
    new ProgramProcess(["start"], {
      DATA_DIR: folder.path,
      PORT: "0",
      WORKERS: "1",
      PROVIDERS: "600",
      ...environment,
    }),
  );
  await program.printed(/Press Ctrl-C to stop/);
  const [, url = ""] = /Listening on (http:\S+)/.exec(program.out) ?? [];
  const [key = null] = /pd_live_\w{36}/.exec(program.out) ?? [];
  return service(owned.move(), { url, program, key, mail });
}

/**
 * The demo that `test/global-setup.ts` starts for all tests that only read it; a separate one if a file is run by
 * itself.
 */
export async function openDemo(): Promise<
  Pick<PortalService, "url" | keyof AsyncDisposable>
> {
  const { [DEMO_OF_RUN]: url } = env;
  return url === undefined
    ? startDemo({ EXPLORER_BURST: "1000" })
    : { url, [Symbol.asyncDispose]: () => Promise.resolve() };
}

/**
 * What an operator runs: 600 providers that count as real, sign-up by a mail server, an explorer for those signed in.
 * `rewrite` changes the registry's file before it is imported; `end` is the day to which it reaches.
 */
export async function startInstallation(
  environment: Environment = {},
  rewrite: (csv: string) => string = (csv) => csv,
  end = "20261108",
): Promise<PortalService> {
  await using owned = new AsyncDisposableStack();
  const folder = owned.use(temporaryFolder());
  const mail = owned.use(await startMailServer());
  const file = join(folder.path, `npidata_pfile_20050523-${end}.csv`);
  const data = join(folder.path, "data");
  await succeed(["generate", "--providers", "600", "--out", file]);
  writeFileSync(file, rewrite(readFileSync(file, "utf8")));
  await succeed(["import", file, "--data-dir", data]);
  const port = await freePort();
  const program = owned.use(
    new ProgramProcess(["serve"], {
      DATA_DIR: data,
      PORT: String(port),
      WORKERS: "1",
      PUBLIC_URL: `http://127.0.0.1:${port}`,
      SMTP_URL: mail.url,
      MAIL_FROM: "Directory <directory@clinic.example>",
      ...environment,
    }),
  );
  const [, url = ""] = await program.printed(/Listening on (http:\S+) with/);
  await program.printed(/Serving snapshot/);
  return service(owned.move(), { url, program, key: null, mail });
}

function service(
  owned: AsyncDisposableStack,
  facts: Omit<PortalService, keyof AsyncDisposable>,
): PortalService {
  return { ...facts, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}
