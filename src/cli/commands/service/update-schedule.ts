import { spawn, type ChildProcessByStdio } from "node:child_process";
import { once } from "node:events";
import { constants, setPriority } from "node:os";
import { execArgv, execPath } from "node:process";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { Cron } from "croner";
import type { Logger } from "pino";
import type { SnapshotStore } from "../../../store/store.ts";
import {
  readUpdateStatus,
  writeUpdateStatus,
  type UpdateStatus,
} from "../../../update/update-status.ts";
import { PROGRAM } from "../../command.ts";
import { processEnvironment } from "../../../settings/setting-reader.ts";
import {
  updateVariables,
  type UpdateOptions,
} from "../../settings/update-settings.ts";

const MAIN = fileURLToPath(new URL("../../main.ts", import.meta.url));
/** Time for an update to stop before it is killed. The served data is safe at any moment. */
const STOP_MS = 5_000;
const FAULT = `${PROGRAM}: `;

export interface UpdateScheduleOptions {
  /** A cron expression with a next run, and its time zone. */
  readonly schedule: string;
  readonly zone: string;
  readonly options: UpdateOptions;
  readonly store: SnapshotStore;
  readonly logger: Logger;
  /** Returns epoch milliseconds. */
  readonly now: () => number;
}

type Child = ChildProcessByStdio<null, Readable, Readable>;

/**
 * Runs the `update` command on a schedule, in a separate process with a lower priority, one at a time. Starts the first
 * at once if there is no registry data. Disposing of it stops a running update.
 */
export class UpdateSchedule implements AsyncDisposable {
  readonly #options: UpdateScheduleOptions;
  readonly #logger: Logger;
  readonly #job: Cron;
  #status: UpdateStatus;
  #running: { child: Child; ended: Promise<void> } | null = null;
  #isStopping = false;

  constructor(options: UpdateScheduleOptions) {
    const { logger, schedule, store, zone } = options;
    this.#options = options;
    this.#logger = logger.child({ job: "update" });
    this.#job = new Cron(schedule, { timezone: zone }, () => this.#start());
    this.#status = {
      lastStartedAt: null,
      lastFinishedAt: null,
      lastOutcome: null,
      lastMessage: null,
      ...readUpdateStatus(store.dataDir),
      schedule,
      zone,
      nextAt: null,
    };
    this.#note({});
    this.#logger.info(
      { schedule, zone, nextAt: this.#status.nextAt },
      "updates scheduled",
    );
    if (lacksData(store)) {
      this.#logger.info("no registry data yet: updating now");
      this.#start();
    }
  }

  #start(): void {
    if (this.#running !== null) {
      this.#note({});
      this.#logger.warn("previous update still running: skipping this one");
      return;
    }
    this.#note({ lastStartedAt: this.#time() });
    this.#logger.info("update started");
    const child = spawn(execPath, [...execArgv, MAIN, "update"], {
      env: {
        ...processEnvironment(),
        ...updateVariables(this.#options.options),
      },
      stdio: ["ignore", "pipe", "pipe"],
    });
    giveWay(child);
    this.#running = { child, ended: this.#follow(child) };
  }

  /** Logs a process's output and its outcome. */
  async #follow(child: Child): Promise<void> {
    let said = "";
    let fault = "";
    // If the process could not start, as at the limit of open files, there are no pipes.
    if (child.pid === undefined) return this.#notStarted(child);
    createInterface(child.stdout).on("line", (line) => {
      this.#logger.info(line);
      if (!line.startsWith(" ")) said = line;
    });
    createInterface(child.stderr).on("line", (line) => {
      if (line.startsWith(FAULT)) fault = line.slice(FAULT.length);
      else this.#logger.info(line);
    });
    const code = await new Promise<number | null>((resolve) => {
      child.on("error", ({ message }) => {
        fault = `Could not start the update: ${message}.`;
        resolve(null);
      });
      child.on("close", resolve);
    });
    this.#running = null;
    const outcome =
      code === 0 ? "done" : this.#isStopping ? "stopped" : "failed";
    const lastMessage =
      outcome === "done" ? said : fault || "The update process was killed.";
    this.#note({
      lastFinishedAt: this.#time(),
      lastOutcome: outcome,
      lastMessage,
    });
    const facts = { outcome, message: lastMessage };
    if (outcome === "failed") this.#logger.error(facts, "update finished");
    else this.#logger.info(facts, "update finished");
  }

  async #notStarted(child: Child): Promise<void> {
    const [error] = await once(child, "error");
    this.#running = null;
    const reason = error instanceof Error ? error.message : String(error);
    const lastMessage = `Could not start the update: ${reason}.`;
    this.#note({
      lastFinishedAt: this.#time(),
      lastOutcome: "failed",
      lastMessage,
    });
    this.#logger.error(
      { outcome: "failed", message: lastMessage },
      "update finished",
    );
  }

  /** Saves the status with these changes and the time of the next update. */
  #note(news: Partial<UpdateStatus>): void {
    const nextAt = this.#isStopping ? null : this.#job.nextRun();
    this.#status = {
      ...this.#status,
      ...news,
      nextAt: nextAt?.toISOString() ?? null,
    };
    try {
      writeUpdateStatus(this.#options.store.dataDir, this.#status);
    } catch (err) {
      this.#logger.error({ err }, "cannot write the update status");
    }
  }

  #time(): string {
    return new Date(this.#options.now()).toISOString();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isStopping = true;
    this.#job.stop();
    const running = this.#running;
    if (running !== null) {
      running.child.kill("SIGTERM");
      const timer = setTimeout(() => running.child.kill("SIGKILL"), STOP_MS);
      await running.ended;
      clearTimeout(timer);
    }
    this.#note({});
  }
}

/** Lowers the priority below the service's. */
function giveWay({ pid }: Child): void {
  try {
    if (pid !== undefined)
      setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // It has ended, or the system refuses; keep the priority.
  }
}

function lacksData(store: SnapshotStore): boolean {
  const current = store.list().find(({ isCurrent }) => isCurrent);
  return current === undefined || current.metadata?.demo === true;
}
