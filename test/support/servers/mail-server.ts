/** A mail server on this machine that keeps what it receives. It can be slow or refuse on request. */

import { once } from "node:events";
import { SMTPServer } from "smtp-server";
import { until } from "../program/program.ts";

export interface Mail {
  readonly to: readonly string[];
  /** All that was sent, as it came. */
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
  /** Whether it refuses recipients. */
  refuses: boolean;
  /** The nth mail (from 1) to an address, once it is there. */
  mailTo(address: string, nth?: number): Promise<Mail>;
  /** The first mail to an address with such a text, once it is there. */
  mailSaying(address: string, fits: RegExp): Promise<Mail>;
}

/** Starts the server on a free port. */
export async function startMailServer(): Promise<MailServer> {
  const mails: Mail[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
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
          to: session.envelope.rcptTo.map(({ address }) => address),
          text,
          html:
            /\r\n\r\n(<!doctype html>[\s\S]*?<\/html>)/.exec(text)?.[1] ?? "",
          link: /https?:\/\/[^\s"<]+/.exec(text)?.[0] ?? "",
        });
        void answer(done);
      });
    },
  });
  async function answer(done: () => void): Promise<void> {
    await mailServer.holdUntil;
    done();
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
    async mailTo(to, nth = 1) {
      const found = () => mails.filter((mail) => mail.to.includes(to))[nth - 1];
      await until(`mail ${nth} to ${to}`, () => found() !== undefined);
      const mail = found();
      if (mail === undefined) throw new Error("unreachable");
      return mail;
    },
    async mailSaying(reader, fits) {
      const found = () =>
        mails.find(({ text, to }) => to.includes(reader) && fits.test(text));
      await until(`a mail to ${reader}: ${fits}`, () => found() !== undefined);
      const mail = found();
      if (mail === undefined) throw new Error("unreachable");
      return mail;
    },
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
      }),
  };
  return mailServer;
}
