import { randomBytes } from "node:crypto";
import type { LazyAuth } from "../../http/app-context.ts";
import type { AuthService } from "../../auth/auth.ts";
import type { ServiceSettings } from "../../settings/service-settings.ts";

export interface LazyAuthOptions {
  readonly settings: ServiceSettings;
  readonly signUp: NonNullable<ServiceSettings["signUp"]>;
  /** Where this machine reaches the service, once it listens. */
  readonly localUrl: () => string;
  readonly show: (line: string) => void;
  readonly onFault: (reason: string) => void;
}

/** How often it is looked for keys that end soon. Whichever thread looks first tells their owners. */
const TELL_OF_KEYS_MS = 3_600_000;

/**
 * The door of one thread. The code behind it is loaded before the thread listens, for that takes half a second in which
 * nothing else runs; the database is opened for the first who comes. Look-ups touch neither.
 */
export class LazyAuthService implements LazyAuth, AsyncDisposable {
  readonly #options: LazyAuthOptions;
  #opened: Promise<AuthService> | null = null;
  #telling: NodeJS.Timeout | undefined;

  constructor(options: LazyAuthOptions) {
    this.#options = options;
  }

  /** Loads the code, and tells the owners of keys that end soon from now on. */
  async load(): Promise<void> {
    await import("../../auth/open-auth.ts");
    this.#telling = setInterval(() => void this.#tell(), TELL_OF_KEYS_MS);
    this.#telling.unref();
  }

  url(): string {
    const { localUrl, settings } = this.#options;
    return settings.publicUrl ?? localUrl();
  }

  origins(): readonly string[] {
    const { publicUrl } = this.#options.settings;
    if (publicUrl !== null) return [new URL(publicUrl).origin];
    const { port } = new URL(this.url());
    // Without a public address there are only this machine's names.
    const names = ["127.0.0.1", "localhost", "[::1]"];
    return [this.url(), ...names.map((name) => `http://${name}:${port}`)];
  }

  open(): Promise<AuthService> {
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

  async #open(): Promise<AuthService> {
    const { onFault, settings, show, signUp } = this.#options;
    const { openAuth } = await import("../../auth/open-auth.ts");
    return openAuth({
      ...signUp,
      place: settings.database,
      plans: settings.plans,
      clock: Date.now,
      random: randomBytes,
      url: this.url(),
      origins: this.origins(),
      show,
      onFault,
    });
  }
}
