import type { Accounts } from "../../accounts/accounts.ts";
import { LIVE_MS, type FleetNode } from "../../accounts/fleet/fleet-nodes.ts";
import type {
  PublicationRecord,
  PublicationState,
} from "../../accounts/fleet/publications.ts";
import { BUILT_IN_PLANS } from "../../accounts/plans.ts";
import { FleetError } from "../../fleet/fleet-error.ts";
import type { ObjectStore } from "../../fleet/objects/object-store.ts";
import { openStore } from "../../fleet/objects/open-store.ts";
import { activate } from "../../fleet/publish/activate.ts";
import { collectGarbage } from "../../fleet/publish/collect-garbage.ts";
import {
  announce,
  publish,
  type Published,
} from "../../fleet/publish/publish.ts";
import { ACCOUNTS } from "../../settings/service-settings.ts";
import { SnapshotStore } from "../../store/store.ts";
import {
  command,
  CommandError,
  NO_OPERANDS,
  programVersion,
  type Command,
  type Context,
} from "../command.ts";
import {
  openAccountsFor,
  requireFolder,
  withImportLock,
} from "../data-folder.ts";
import {
  counted,
  formatBytes,
  formatCount,
  formatSeconds,
  formatTime,
  isoTime,
} from "../output/format.ts";
import { show, tableOf, type Columns } from "../output/show.ts";
import {
  PUBLISH_SETTINGS,
  readPublishOptions,
  type PublishOptions,
} from "../settings/fleet-settings.ts";
import { DATA_DIR, FORCE, JSON_OUTPUT } from "../settings/settings.ts";

export const fleetCommand = command({
  summary:
    "List the nodes that share a PostgreSQL database, what each serves, and any problem.",
  details: [
    "A node that was killed, or that cannot reach the database, is listed for a day.",
  ],
  options: { json: JSON_OUTPUT, ...ACCOUNTS },
  async run({ json, ...place }, context) {
    if (place.databaseUrl === null)
      throw new CommandError(
        "Nodes of a fleet register in PostgreSQL. Set DATABASE_URL to the nodes' database.",
      );
    await using accounts = await openAccountsFor(place, "fleet", context);
    const { nodes, publications } = accounts;
    if (nodes === null || publications === null) return 1;
    const [all, state] = [await nodes.list(), await publications.state()];
    const facts = {
      active: publicationFacts(state.active),
      pending: publicationFacts(state.pending),
      nodes: all.map((node) => nodeFacts(node, all, state, context.now())),
    };
    show(context, json, facts, () => fleetLines(facts.nodes, state));
    return 0;
  },
});

function publicationFacts(publication: PublicationRecord | null) {
  if (publication === null) return null;
  const { activatedAt, epoch, manifest, publishedAt, publisher, snapshot } =
    publication;
  return {
    epoch,
    snapshot,
    manifest,
    publisher,
    published_at: isoTime(publishedAt),
    activated_at: isoTime(activatedAt),
  };
}

type NodeFacts = ReturnType<typeof nodeFacts>;

function nodeFacts(
  node: FleetNode,
  all: readonly FleetNode[],
  state: PublicationState,
  nowMs: number,
) {
  const { active } = state;
  const isBehind = active !== null && node.servedEpoch !== active.epoch;
  return {
    name: node.name,
    process: node.process,
    version: node.version,
    up_seconds: Math.round(node.upMs / 1000),
    silent_seconds: Math.round(node.silentMs / 1000),
    held_epoch: node.heldEpoch,
    served_epoch: node.servedEpoch,
    behind_seconds: isBehind
      ? Math.max(0, Math.round((nowMs - (active.activatedAt ?? 0)) / 1000))
      : 0,
    problem: problemOf(node, all, state),
  };
}

/** Says what is wrong with a node in a sentence; null if nothing is. */
function problemOf(
  node: FleetNode,
  all: readonly FleetNode[],
  { active, pending }: PublicationState,
): string | null {
  if (!isLive(node))
    return "No contact. It was killed, or it cannot reach the database.";
  if (node.problem !== null) return node.problem;
  if (all.some((other) => other !== node && isTwin(other, node)))
    return "Another running node has the same name. Set NODE_NAME.";
  if (active === null && pending === null) return null;
  if (node.heldEpoch === null)
    return "It does not pull publications. Set SNAPSHOT_STORE.";
  if (active !== null && node.servedEpoch !== active.epoch)
    return `It serves ${node.servedEpoch === null ? "no publication yet" : `publication ${node.servedEpoch}`}, and ${active.epoch} is active.`;
  return null;
}

function isLive({ silentMs }: FleetNode): boolean {
  return silentMs < LIVE_MS;
}

function isTwin(other: FleetNode, node: FleetNode): boolean {
  return isLive(other) && other.name === node.name;
}

const NODE_COLUMNS: Columns<NodeFacts> = {
  NODE: ({ name }) => name,
  VERSION: ({ version }) => version,
  UP: ({ up_seconds: seconds }) => formatSeconds(seconds),
  SEEN: ({ silent_seconds: seconds }) => `${formatSeconds(seconds)} ago`,
  HOLDS: ({ held_epoch: epoch }) => epochText(epoch),
  SERVES: ({ served_epoch: epoch }) => epochText(epoch),
  BEHIND: ({ behind_seconds: seconds }) =>
    seconds === 0 ? "-" : formatSeconds(seconds),
};

function epochText(epoch: number | null): string {
  return epoch === null || epoch === 0 ? "-" : String(epoch);
}

function fleetLines(
  nodes: readonly NodeFacts[],
  { active, pending }: PublicationState,
): string[] {
  const lines = [
    active === null
      ? "Nothing is published."
      : `Publication ${active.epoch}: snapshot ${active.snapshot}, published by ${active.publisher}, active since ${formatTime(active.activatedAt ?? 0)}`,
  ];
  if (pending !== null)
    lines.push(
      `Publication ${pending.epoch}: snapshot ${pending.snapshot}, published by ${pending.publisher} at ${formatTime(pending.publishedAt)}, not active yet`,
    );
  if (nodes.length === 0) return [...lines, "No nodes."];
  const problems = nodes.flatMap(({ name, problem }) =>
    problem === null ? [] : [`${name}: ${problem}`],
  );
  return [...lines, ...tableOf(nodes, NODE_COLUMNS), ...problems];
}

export const publishCommand: Command = {
  operands: NO_OPERANDS,
  settings: [DATA_DIR, FORCE, ...PUBLISH_SETTINGS],
  summary:
    "Publish the current snapshot to the snapshot store, from which nodes pull it.",
  details: [
    "Uploads the parts of the snapshot and its list of changes that the store lacks. With DATABASE_URL, it then waits until all running nodes have downloaded them, and activates the publication; nodes serve it within seconds. Nodes that take too long are left behind. Without DATABASE_URL, each node serves it within seconds of downloading it.",
    "If the snapshot is already the newest publication, nothing happens. An interrupted publication continues. To go back to an earlier snapshot on all nodes, run snapshots rollback and publish.",
    "An s3: store needs the usual variables: AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_REGION, and AWS_ENDPOINT_URL if it isn't Amazon's. With --force, checks all objects in the store, and uploads damaged ones again.",
  ],
  prepare(reader) {
    const options = readPublishOptions(reader);
    const again = reader.read(FORCE);
    return async (context) => {
      await publishCurrent(options, again, context);
      return 0;
    };
  },
};

/** Publishes what a data folder serves, and activates it. With `again`, uploads everything. */
export async function publishCurrent(
  options: PublishOptions,
  again: boolean,
  context: Context,
): Promise<void> {
  const { databaseUrl, dataDir, nodeName, place } = options;
  requireFolder(dataDir);
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
    throw new CommandError(
      `Publication ${publication.epoch} is not served: another publisher published a newer one.`,
    );
  await removeOld(accounts, objects, context);
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
