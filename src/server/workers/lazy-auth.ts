import { randomBytes } from "node:crypto";
import type { Logger } from "pino";
import type { LazyAuth } from "../../http/app-context.ts";
import type { AuthService } from "../../auth/auth.ts";
import type { ServiceSettings } from "../../settings/service-settings.ts";

export interface LazyAuthOptions {
  readonly settings: ServiceSettings;
  /** Returns the service's URL on this machine, once it listens. */
  readonly localUrl: () => string;
  readonly show: (line: string) => void;
  readonly logger: Logger;
}

/** The interval at which keys that expire soon are looked up. The first thread to look notifies their owners. */
const NOTIFY_INTERVAL_MS = 3_600_000;

/**
 * Loads sign-up and sign-in of one thread before the thread listens, because loading blocks it for half a second, and
 * starts notifying owners of keys that expire soon; null if they are off. The database is opened on first use; look-ups
 * need neither.
 */
export async function loadAuth(
  { localUrl, logger, settings, show }: LazyAuthOptions,
  owned: AsyncDisposableStack,
): Promise<LazyAuth | null> {
  const { publicUrl, signUp } = settings;
  if (signUp === null) return null;
  const { openAuth } = await import("../../auth/open-auth.ts");
  if (signUp.mail.kind === "smtp") await import("../../auth/mail/smtp.ts");
  const url = () => publicUrl ?? localUrl();
  let opened: Promise<AuthService> | null = null;
  const onFault = (reason: string): void =>
    logger.error({ reason }, "sign-up or sign-in failed");

  function origins(): readonly string[] {
    if (publicUrl !== null) return [new URL(publicUrl).origin];
    const { port } = new URL(url());
    // Without a public URL, only this machine's names.
    const names = ["127.0.0.1", "localhost", "[::1]"];
    return [url(), ...names.map((name) => `http://${name}:${port}`)];
  }

  const open = (): Promise<AuthService> =>
    (opened ??= openAuth({
      ...signUp,
      place: settings.database,
      plans: settings.plans,
      clock: Date.now,
      random: randomBytes,
      url: url(),
      origins: origins(),
      show,
      onFault,
    }).catch((error: unknown) => {
      opened = null;
      throw error;
    }));

  async function notify(): Promise<void> {
    try {
      await (await open()).notifyOfEndingKeys();
    } catch (error) {
      onFault(error instanceof Error ? error.name : "unknown");
    }
  }

  const timer = setInterval(() => void notify(), NOTIFY_INTERVAL_MS).unref();
  owned.defer(async () => {
    clearInterval(timer);
    const auth = await opened?.catch(() => null);
    await auth?.[Symbol.asyncDispose]();
  });
  return { open, url, origins };
}
