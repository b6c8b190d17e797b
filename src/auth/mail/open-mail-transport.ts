import type { MailServer, MailTransport } from "./smtp.ts";

export interface MailTransportOptions {
  readonly server: MailServer;
  /** Prints a line in the terminal. */
  readonly show: (line: string) => void;
  /** Called with the reason why a mail was not sent; it contains no address. */
  readonly onFault: (reason: string) => void;
}

/** Opens the mail transport. Loads the SMTP client only if needed. Disposing of it waits a moment for queued mails. */
export async function openMailTransport({
  onFault,
  server,
  show,
}: MailTransportOptions): Promise<MailTransport> {
  if (server.kind === "terminal")
    return {
      send: ({ link, subject, to }) =>
        show(
          `No mail server is set (SMTP_URL). Email to ${to}: ${subject}\n  ${link}`,
        ),
      [Symbol.asyncDispose]: () => Promise.resolve(),
    };
  const { openSmtp } = await import("./smtp.ts");
  return openSmtp(server, onFault);
}
