import { createTransport } from "nodemailer";
import type { Mail } from "./templates.ts";

/** The destination of mail: an SMTP server or, in a demo without one, the terminal. */
export type MailServer =
  | {
      readonly kind: "smtp";
      /** `smtp://USER:PASSWORD@HOST:PORT`, `smtps://` for implicit TLS; never log it. */
      readonly url: string;
      /** `Directory <directory@clinic.example>`, or a name and an address. */
      readonly from:
        string | { readonly name: string; readonly address: string };
    }
  | { readonly kind: "terminal" };

/** Sends mails in the background: no request waits for a mail server, and no answer depends on it. */
export interface MailTransport extends AsyncDisposable {
  send(mail: Mail): void;
}

/** Mails queued at once; more are refused, so that a silent mail server cannot fill memory. */
const MAX_QUEUED = 1_000;
const CONNECTIONS = 2;
/** The time that the server may take to connect, greet and answer. */
const TIMEOUT_MS = 10_000;
/** The time that queued mails may take when the service stops. */
const CLOSE_TIMEOUT_MS = 5_000;

/** An error of the SMTP client. */
interface MailError extends Error {
  readonly code?: string;
  /** The code of the error that caused it. */
  readonly originalCode?: string;
  /** The server's answer. */
  readonly responseCode?: number;
}

const NOT_SIGNED =
  "the mail server's certificate isn't signed by an authority that is trusted here; install one that is, or set NODE_EXTRA_CA_CERTS to the file of your own authority and restart";
/** The reasons why a mail server's certificate is refused, by OpenSSL's and Node's codes. */
const CERTIFICATE_FAULTS: ReadonlyMap<string, string> = new Map([
  [
    "CERT_HAS_EXPIRED",
    "the mail server's certificate has expired; renew it there",
  ],
  [
    "CERT_NOT_YET_VALID",
    "the mail server's certificate isn't valid yet; check the clocks of both machines",
  ],
  [
    "ERR_TLS_CERT_ALTNAME_INVALID",
    "the mail server's certificate is for another host name; set SMTP_URL to the name in the certificate",
  ],
  ["DEPTH_ZERO_SELF_SIGNED_CERT", NOT_SIGNED],
  ["SELF_SIGNED_CERT_IN_CHAIN", NOT_SIGNED],
  ["UNABLE_TO_GET_ISSUER_CERT", NOT_SIGNED],
  ["UNABLE_TO_GET_ISSUER_CERT_LOCALLY", NOT_SIGNED],
  ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", NOT_SIGNED],
]);

/** Sends over an SMTP server. Disposing of it waits a moment for queued mails. */
export function openSmtp(
  server: MailServer & { readonly kind: "smtp" },
  onFault: (reason: string) => void,
): MailTransport {
  const transport = createTransport(
    {
      url: server.url,
      pool: true,
      maxConnections: CONNECTIONS,
      connectionTimeout: TIMEOUT_MS,
      greetingTimeout: TIMEOUT_MS,
      socketTimeout: TIMEOUT_MS,
      disableFileAccess: true,
      disableUrlAccess: true,
    },
    { from: server.from },
  );
  const waiting = new Set<Promise<void>>();

  async function deliver({ html, subject, text, to }: Mail): Promise<void> {
    try {
      await transport.sendMail({
        to: { name: "", address: to },
        subject,
        text,
        html,
      });
    } catch (error) {
      onFault(reasonOf(error));
    }
  }

  return {
    send(mail) {
      if (waiting.size >= MAX_QUEUED) {
        onFault("the mail queue is full");
        return;
      }
      const delivery = deliver(mail).finally(() => waiting.delete(delivery));
      waiting.add(delivery);
    },
    async [Symbol.asyncDispose]() {
      const timeout = Promise.withResolvers<void>();
      const limit = setTimeout(timeout.resolve, CLOSE_TIMEOUT_MS);
      await Promise.race([Promise.all(waiting), timeout.promise]);
      clearTimeout(limit);
      transport.close();
    },
  };
}

/** Returns only an error's codes, and what to do about a certificate: its message may quote the address or the mail. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return "unknown";
  const { code, originalCode, responseCode } = error as MailError;
  const codes = [code ?? error.name, originalCode, responseCode].filter(
    (each) => each !== undefined,
  );
  const advice = CERTIFICATE_FAULTS.get(originalCode ?? "");
  return `${codes.join(" ")}${advice === undefined ? "" : `: ${advice}`}`;
}
