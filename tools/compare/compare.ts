/** Runs two checkouts of the program on the same data and lists what differs. */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { COMMANDS } from "../../src/cli/commands.ts";
import { accountRequests } from "./account-requests.ts";
import { Checkout } from "./checkout.ts";
import { Costs } from "./costs.ts";
import { prepareDataFolders, type Prepared } from "./data-folder.ts";
import {
  compareConnections,
  compareOutputs,
  compareResponses,
  type Difference,
} from "./differences.ts";
import { Client, type Request, type Response } from "./exchange.ts";
import {
  commandLines,
  connectionRequests,
  RAW_REQUESTS,
  requests,
} from "./requests.ts";

export interface Comparison {
  readonly requests: number;
  readonly commands: number;
  readonly differences: readonly Difference[];
}

export interface ComparisonOptions {
  /** The registry's files that both programs import, in their order; none for a demo. */
  readonly files: readonly string[];
  /** The number of providers of a demo. */
  readonly providers: number;
  /** The number of random combinations of parameters for each path. */
  readonly combinations: number;
  /** Sends only every n-th request. */
  readonly every: number;
}

/** Two programs, or what belongs to each. */
interface Pair<T> {
  readonly old: T;
  readonly new: T;
}

/** Compares two checkouts by all command lines, and by all requests with data and without. */
export async function comparePrograms(
  roots: Pair<string>,
  { combinations, every, files, providers }: ComparisonOptions,
): Promise<Comparison> {
  const folder = mkdtempSync(join(tmpdir(), "compare-programs-"));
  try {
    const now = Date.now();
    const folders = { old: join(folder, "old"), new: join(folder, "new") };
    const programs = {
      old: new Checkout(resolve(roots.old), folders.old, now),
      new: new Checkout(resolve(roots.new), folders.new, now),
    };
    mkdirSync(folders.old);
    const prepared = prepareDataFolders(
      { program: programs.old, folder: folders.old },
      { program: programs.new, folder: folders.new },
      files.map((file) => resolve(file)),
      providers,
    );
    const words = COMMANDS.map((command) => command.words);
    const lines = commandLines(words, prepared.known).filter(
      (_, index) => index % every === 0,
    );
    const commands = lines.flatMap((args) =>
      compareOutputs(args, programs.old.run(args), programs.new.run(args)),
    );
    const withData = await compareServices(programs, prepared, (known) =>
      requests(known, { combinations, every }),
    );
    for (const each of [folders.old, folders.new])
      rmSync(join(each, "data/snapshots"), { recursive: true });
    const withoutData = await compareServices(programs, prepared, (known) =>
      requests(known, { combinations: 1, every }),
    );
    return {
      requests: withData.sent + withoutData.sent,
      commands: lines.length,
      differences: [
        ...commands,
        ...withData.differences,
        ...withoutData.differences,
      ],
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Starts both services and sends them the same requests, one after another. */
async function compareServices(
  programs: Pair<Checkout>,
  { known, user }: Prepared,
  make: (known: Prepared["known"]) => Iterable<Request>,
): Promise<{ sent: number; differences: Difference[] }> {
  await using before = await programs.old.serve();
  await using after = await programs.new.serve();
  using first = new Client(before.port);
  using second = new Client(after.port);
  const differences: Difference[] = [];
  const last = { old: "", new: "" };
  const costs = { old: new Costs(), new: new Costs() };
  let sent = 0;
  for (const made of make(known)) {
    const request = addressed(made, sent);
    const [one, two] = await Promise.all([
      first.send(withTag(request, last.old)),
      second.send(withTag(request, last.new)),
    ]);
    last.old = tagOf(one) ?? last.old;
    last.new = tagOf(two) ?? last.new;
    differences.push(
      ...compareResponses(
        request,
        costs.old.of(request.headers, one),
        costs.new.of(request.headers, two),
      ),
    );
    sent++;
  }
  for (const raw of [...RAW_REQUESTS, ...connectionRequests(known)]) {
    const [one, two] = await Promise.all([
      first.sendRaw(raw),
      second.sendRaw(raw),
    ]);
    differences.push(
      ...compareConnections(
        raw.name,
        one.map((each) => costs.old.of(raw.headers, each)),
        two.map((each) => costs.new.of(raw.headers, each)),
      ),
    );
    sent++;
  }
  for (const step of accountRequests(user)) {
    const [one, two] = await Promise.all([
      first.send(step.with(step.session.old)),
      second.send(step.with(step.session.new)),
    ]);
    step.read(one, two);
    differences.push(...compareResponses(step, one, two));
    sent++;
  }
  return { sent, differences };
}

/** Sends requests from many addresses, so that limits per address aren't reached. */
function addressed(request: Request, index: number): Request {
  const address = `10.${(index >> 14) & 255}.${(index >> 6) & 255}.1`;
  return {
    ...request,
    headers: { "x-forwarded-for": address, ...request.headers },
  };
}

/** Puts the last entity tag of the same program into a condition that asks for it. */
function withTag(request: Request, tag: string): Request {
  return request.headers["if-none-match"] === "LAST"
    ? { ...request, headers: { ...request.headers, "if-none-match": tag } }
    : request;
}

function tagOf({ headers }: Response): string | undefined {
  return headers.find((line) => line.startsWith("etag: "))?.slice(6);
}
