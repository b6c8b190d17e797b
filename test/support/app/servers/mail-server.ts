/** A mail server on this machine that keeps what it receives. It can be slow or refuse on request. */

import { EventEmitter, once } from "node:events";
import { SMTPServer } from "smtp-server";

export interface Mail {
  readonly to: readonly string[];
  /** All that was sent, as it came. */
  readonly raw: string;
  /** The same, decoded. */
  readonly text: string;
  /** Its part in HTML. */
  readonly html: string;
  /** The first address of a page in it. */
  readonly link: string;
}

export interface MailServer extends AsyncDisposable {
  readonly url: string;
  readonly mails: readonly Mail[];
  /** While it is set, mails are taken and not answered until it resolves. */
  holdUntil: Promise<void> | null;
  /** True if it refuses recipients. */
  refuses: boolean;
  /** The nth mail (from 1) to an address, once it is there. */
  mailTo(address: string, nth?: number): Promise<Mail>;
  /** The first mail to an address with such a text, once it is there. */
  mailSaying(address: string, fits: RegExp): Promise<Mail>;
}

/** For a mail, on a busy machine. */
const MAX_WAIT_MS = 60_000;

/** How the server encrypts: with STARTTLS, by a certificate in PEM or an expired one. */
export type MailEncryption =
  "expired" | { readonly certificate: string; readonly key: string };

/** Starts the server on a free port. */
export async function startMailServer(
  encryption: MailEncryption | null = null,
): Promise<MailServer> {
  const mails: Mail[] = [];
  const arrivals = new EventEmitter().setMaxListeners(0);
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: encryption === null ? ["STARTTLS"] : [],
    // Without one, the library's own is used, which has expired.
    ...(encryption === null || encryption === "expired"
      ? {}
      : { cert: encryption.certificate, key: encryption.key }),
    logger: false,
    onRcptTo({ address }, _session, done) {
      if (mailServer.refuses) done(new Error(`no such box: ${address}`));
      else done();
    },
    onData(stream, session, done) {
      let raw = "";
      stream.setEncoding("utf8");
      stream.on("data", (piece: string) => void (raw += piece));
      stream.on("end", () => {
        const text = raw
          .replaceAll("=\r\n", "")
          .replace(/=([0-9A-F]{2})/g, (_all, hex: string) =>
            String.fromCharCode(Number.parseInt(hex, 16)),
          );
        mails.push({
          raw,
          to: session.envelope.rcptTo.map(({ address }) => address),
          text,
          html:
            /\r\n\r\n(<!doctype html>[\s\S]*?<\/html>)/.exec(text)?.[1] ?? "",
          link: /https?:\/\/[^\s"<]+/.exec(text)?.[0] ?? "",
        });
        arrivals.emit("mail");
        void answer(done);
      });
    },
  });
  async function answer(done: () => void): Promise<void> {
    await mailServer.holdUntil;
    done();
  }
  async function arrived(
    what: string,
    find: () => Mail | undefined,
  ): Promise<Mail> {
    const signal = AbortSignal.timeout(MAX_WAIT_MS);
    for (;;) {
      const found = find();
      if (found !== undefined) return found;
      await once(arrivals, "mail", { signal }).catch((cause: unknown) => {
        throw new Error(`Waited in vain for ${what}.`, { cause });
      });
    }
  }
  server.on("error", () => undefined);
  server.listen(0, "127.0.0.1");
  await once(server.server, "listening");
  const address = server.server.address();
  if (address === null || typeof address === "string")
    throw new Error("The mail server has no port.");
  const mailServer: MailServer = {
    url: `smtp://127.0.0.1:${address.port}`,
    mails,
    holdUntil: null,
    refuses: false,
    mailTo(to, nth = 1) {
      return arrived(
        `mail ${nth} to ${to}`,
        () => mails.filter((mail) => mail.to.includes(to))[nth - 1],
      );
    },
    mailSaying(reader, fits) {
      return arrived(`a mail to ${reader}: ${fits}`, () =>
        mails.find(({ text, to }) => to.includes(reader) && fits.test(text)),
      );
    },
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
      }),
  };
  return mailServer;
}

/** The token of a confirmation link; null without one. */
export function tokenOf(link: string): string | null {
  return new URL(link).searchParams.get("token");
}
