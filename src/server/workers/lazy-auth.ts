import { randomBytes } from "node:crypto";
import type { LazyAuth } from "../../http/app-context.ts";
import type { AuthService } from "../../auth/auth.ts";
import type { ServiceSettings } from "../../settings/service-settings.ts";

export interface LazyAuthOptions {
  readonly settings: ServiceSettings;
  readonly signUp: NonNullable<ServiceSettings["signUp"]>;
  /** The service's URL on this machine, once it listens. */
  readonly localUrl: () => string;
  readonly show: (line: string) => void;
  readonly onFault: (reason: string) => void;
}

/** How often keys that expire soon are looked up. The first thread to look notifies their owners. */
const NOTIFY_INTERVAL_MS = 3_600_000;

/**
 * Sign-up and sign-in of one thread. The code is loaded before the thread listens, because loading blocks it for half a
 * second. The database is opened on first use; look-ups need neither.
 */
export class LazyAuthService implements LazyAuth, AsyncDisposable {
  readonly #options: LazyAuthOptions;
  #opened: Promise<AuthService> | null = null;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: LazyAuthOptions) {
    this.#options = options;
  }

  /** Loads the code, and starts notifying owners of keys that expire soon. */
  async load(): Promise<void> {
    await import("../../auth/open-auth.ts");
    if (this.#options.signUp.mail.kind === "smtp")
      await import("../../auth/mail/smtp.ts");
    this.#timer = setInterval(() => void this.#notify(), NOTIFY_INTERVAL_MS);
    this.#timer.unref();
  }

  url(): string {
    const { localUrl, settings } = this.#options;
    return settings.publicUrl ?? localUrl();
  }

  origins(): readonly string[] {
    const { publicUrl } = this.#options.settings;
    if (publicUrl !== null) return [new URL(publicUrl).origin];
    const { port } = new URL(this.url());
    // Without a public URL, only this machine's names.
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
    clearInterval(this.#timer);
    if (this.#opened === null) return;
    const auth = await this.#opened.catch(() => null);
    await auth?.[Symbol.asyncDispose]();
  }

  async #notify(): Promise<void> {
    try {
      await (await this.open()).notifyOfEndingKeys();
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
