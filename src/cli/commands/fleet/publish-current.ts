import type { Accounts } from "../../../accounts/accounts.ts";
import { BUILT_IN_PLANS } from "../../../accounts/plans.ts";
import { FleetError } from "../../../fleet/fleet-error.ts";
import type { ObjectStore } from "../../../fleet/objects/object-store.ts";
import { openStore } from "../../../fleet/objects/open-store.ts";
import { activate } from "../../../fleet/publish/activate.ts";
import { collectGarbage } from "../../../fleet/publish/collect-garbage.ts";
import {
  announce,
  publish,
  type Published,
} from "../../../fleet/publish/publish.ts";
import { SnapshotStore } from "../../../store/store.ts";
import {
  fail,
  programVersion,
  type Context,
  type ExitCode,
} from "../../command.ts";
import {
  IMPORT_RUNNING,
  missingFolder,
  openAccountsFor,
  withImportLock,
} from "../../data-folder.ts";
import { counted, formatBytes, formatCount } from "../../output/format.ts";
import type { PublishOptions } from "../../settings/fleet-settings.ts";

/** Publishes what a data folder serves, and activates it. With `again`, uploads everything. */
export async function publishCurrent(
  options: PublishOptions,
  again: boolean,
  context: Context,
): Promise<ExitCode> {
  const { databaseUrl, dataDir, nodeName, place } = options;
  const missing = missingFolder(dataDir);
  if (missing !== null) return fail(context, missing);
  using objects = await openStore(place);
  await using accounts =
    databaseUrl === null
      ? null
      : await openAccountsFor(
          { dataDir, databaseUrl, plans: BUILT_IN_PLANS },
          "publish",
          context,
        );
  const published = await withImportLock(dataDir, () =>
    publish({
      store: new SnapshotStore(dataDir),
      objects,
      publications: accounts?.publications ?? null,
      publisher: nodeName,
      program: programVersion(),
      again,
      now: context.now,
      signal: context.stop,
      onFile: (name) => context.out(`Uploading ${name} to ${objects.name} ...`),
      onWarning: (message) => context.err(message),
    }),
  );
  if (published === null) return fail(context, IMPORT_RUNNING);
  printUploaded(published, context);
  if (accounts !== null)
    await activateIn(accounts, published, options, context);
  const { publication } = published;
  const isAnnounced = await announce(
    publication,
    objects,
    context.now,
    context.stop,
  );
  if (!isAnnounced && accounts === null)
    return fail(
      context,
      `Publication ${publication.epoch} is not served: another publisher published a newer one.`,
    );
  await removeOld(accounts, objects, context);
  return 0;
}

function printUploaded(
  { isActive, publication: { epoch, snapshot }, uploaded }: Published,
  context: Context,
): void {
  const name = `publication ${epoch} (snapshot ${snapshot})`;
  if (uploaded === null) {
    context.out(
      isActive
        ? `Nothing to publish: the newest is ${name}.`
        : `Continuing with ${name}.`,
    );
    return;
  }
  const { bytes, objects } = uploaded.uploaded;
  context.out(
    `Uploaded ${name}: ${counted(objects, "object")}, ${formatBytes(bytes)}; ${formatCount(uploaded.present)} were there already.`,
  );
}

async function activateIn(
  { nodes, publications }: Accounts,
  { isActive, publication }: Published,
  { waitMs }: PublishOptions,
  context: Context,
): Promise<void> {
  if (isActive || nodes === null || publications === null) return;
  const { live, missing } = await activate({
    publication,
    publications,
    nodes,
    waitMs,
    signal: context.stop,
    onWaiting: (waitedFor) =>
      context.out(
        `Waiting for ${counted(waitedFor.length, "node")} to download it: ${waitedFor.map(({ name }) => name).join(", ")}.`,
      ),
  });
  context.out(
    `Publication ${publication.epoch} is active. ${live - missing.length} of ${live} running nodes have it.`,
  );
  for (const { name, problem } of missing)
    context.err(
      `Left behind: ${name}. ${problem ?? "It is still downloading."}`,
    );
}

/** Removes what no publication uses any more. A failure is only reported: the next publication tries again. */
async function removeOld(
  accounts: Accounts | null,
  objects: ObjectStore,
  context: Context,
): Promise<void> {
  try {
    const kept = (await accounts?.publications?.kept()) ?? [];
    const removed = await collectGarbage(
      objects,
      kept.map(({ manifest }) => manifest),
      context.now(),
      context.stop,
    );
    if (removed.objects > 0)
      context.out(
        `  removed old objects: ${formatCount(removed.objects)}, ${formatBytes(removed.bytes)}`,
      );
  } catch (error) {
    if (!(error instanceof FleetError)) throw error;
    context.err(`Could not remove old objects: ${error.message}`);
  }
}
