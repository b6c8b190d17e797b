import {
  LIVE_MS,
  type FleetNode,
} from "../../../accounts/fleet/fleet-nodes.ts";
import type {
  PublicationRecord,
  PublicationState,
} from "../../../accounts/fleet/publications.ts";
import { ACCOUNTS } from "../../../settings/service-settings.ts";
import {
  fail,
  NO_OPERANDS,
  type Command,
  type Context,
  type ExitCode,
} from "../../command.ts";
import { withAccounts, type AccountsPlace } from "../../data-folder.ts";
import { formatSeconds, formatTable, formatTime } from "../../output/format.ts";
import { JSON_OUTPUT } from "../../settings/settings.ts";

export const fleetCommand: Command = {
  operands: NO_OPERANDS,
  settings: [JSON_OUTPUT, ...Object.values(ACCOUNTS)],
  summary:
    "List the nodes that share a PostgreSQL database, what each serves, and any problem.",
  details: [
    "A node that was killed, or that cannot reach the database, is listed for a day.",
  ],
  prepare(reader) {
    const place = reader.readAll(ACCOUNTS);
    const json = reader.read(JSON_OUTPUT);
    return (context) => listFleet(place, json, context);
  },
};

function listFleet(
  place: AccountsPlace,
  json: boolean,
  context: Context,
): Promise<ExitCode> {
  if (place.databaseUrl === null)
    return Promise.resolve(
      fail(
        context,
        "Nodes of a fleet register in PostgreSQL. Set DATABASE_URL to the nodes' database.",
      ),
    );
  return withAccounts(place, "fleet", context, async (accounts) => {
    const { nodes, publications } = accounts;
    if (nodes === null || publications === null) return 1;
    const [all, state] = [await nodes.list(), await publications.state()];
    const facts = all.map((node) => factsOf(node, all, state, context.now()));
    if (json)
      context.out(
        JSON.stringify(
          {
            active: publicationFacts(state.active),
            pending: publicationFacts(state.pending),
            nodes: facts,
          },
          null,
          2,
        ),
      );
    else for (const line of fleetLines(facts, state)) context.out(line);
    return 0;
  });
}

function publicationFacts(publication: PublicationRecord | null) {
  if (publication === null) return null;
  const { activatedAt, epoch, manifest, publishedAt, publisher, snapshot } =
    publication;
  return {
    epoch,
    snapshot,
    manifest,
    publisher,
    published_at: new Date(publishedAt).toISOString(),
    activated_at:
      activatedAt === null ? null : new Date(activatedAt).toISOString(),
  };
}

type NodeFacts = ReturnType<typeof factsOf>;

function factsOf(
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

/** What is wrong with a node, in a sentence; null if nothing is. */
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
  const heading = [
    "NODE",
    "VERSION",
    "UP",
    "SEEN",
    "HOLDS",
    "SERVES",
    "BEHIND",
  ];
  const rows = nodes.map((node) => [
    node.name,
    node.version,
    formatSeconds(node.up_seconds),
    `${formatSeconds(node.silent_seconds)} ago`,
    epochText(node.held_epoch),
    epochText(node.served_epoch),
    node.behind_seconds === 0 ? "-" : formatSeconds(node.behind_seconds),
  ]);
  const problems = nodes.flatMap(({ name, problem }) =>
    problem === null ? [] : [`${name}: ${problem}`],
  );
  return [...lines, ...formatTable(heading, rows), ...problems];
}

function epochText(epoch: number | null): string {
  return epoch === null || epoch === 0 ? "-" : String(epoch);
}
