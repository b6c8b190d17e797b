import { randomBytes } from "node:crypto";
import type { PeopleDoor } from "../../http/app-context.ts";
import type { PeopleSetup } from "../../auth/open-auth.ts";
import type { People } from "../../auth/auth.ts";
import { localUrl } from "../local-url.ts";
import type { WorkerSetup } from "./messages.ts";

export interface PeopleDoorOptions {
  readonly setup: WorkerSetup;
  readonly people: PeopleSetup;
  /** The port that is listened on. */
  readonly port: () => number;
  readonly show: (line: string) => void;
  readonly onFault: (reason: string) => void;
}

/** How often it is looked for keys that end soon. Whichever thread looks first tells their owners. */
const TELL_OF_KEYS_MS = 3_600_000;

/**
 * The door of one thread. The code behind it is loaded before the thread listens, for that takes half a second in which
 * nothing else runs; the database is opened for the first who comes. Look-ups touch neither.
 */
export class LazyPeople implements PeopleDoor, AsyncDisposable {
  readonly #options: PeopleDoorOptions;
  #opened: Promise<People> | null = null;
  #telling: NodeJS.Timeout | undefined;

  constructor(options: PeopleDoorOptions) {
    this.#options = options;
  }

  /** Loads the code, and tells the owners of keys that end soon from now on. */
  async load(): Promise<void> {
    await import("../../auth/open-auth.ts");
    this.#telling = setInterval(() => void this.#tell(), TELL_OF_KEYS_MS);
    this.#telling.unref();
  }

  url(): string {
    const { port, setup } = this.#options;
    return setup.publicUrl ?? localUrl(setup.host, port());
  }

  origins(): readonly string[] {
    const { port, setup } = this.#options;
    if (setup.publicUrl !== null) return [new URL(setup.publicUrl).origin];
    // Without a public address there are only this machine's names.
    const names = ["127.0.0.1", "localhost", "[::1]"];
    return [this.url(), ...names.map((name) => `http://${name}:${port()}`)];
  }

  open(): Promise<People> {
    this.#opened ??= this.#open().catch((error: unknown) => {
      this.#opened = null;
      throw error;
    });
    return this.#opened;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#telling);
    if (this.#opened === null) return;
    const people = await this.#opened.catch(() => null);
    await people?.[Symbol.asyncDispose]();
  }

  async #tell(): Promise<void> {
    try {
      await (await this.open()).tellOfEndingKeys();
    } catch (error) {
      this.#options.onFault(error instanceof Error ? error.name : "unknown");
    }
  }

  async #open(): Promise<People> {
    const { onFault, people, setup, show } = this.#options;
    const { openPeople } = await import("../../auth/open-auth.ts");
    return openPeople({
      ...people,
      place: setup.accounts,
      plans: setup.plans,
      clock: Date.now,
      random: randomBytes,
      url: this.url(),
      origins: this.origins(),
      show,
      onFault,
    });
  }
}
