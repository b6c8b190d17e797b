import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:net";
import { after, suite, test } from "node:test";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { openSmtp } from "../../../src/auth/mail/smtp.ts";
import { verificationMail } from "../../../src/auth/mail/templates.ts";
import { temporaryFolder } from "../../support/pure/temporary-folder.ts";
import { makeCertificate } from "../../support/postgresql/certificate.ts";
import {
  startMailServer,
  type MailEncryption,
} from "../../support/app/servers/mail-server.ts";

const ADA = "ada@clinic.example";
const SITE = "https://directory.example";

/** Why a mail to a server isn't sent. */
async function faultAt(url: string): Promise<string> {
  const fault = Promise.withResolvers<string>();
  const from = "directory@clinic.example";
  await using smtp = openSmtp({ kind: "smtp", url, from }, fault.resolve);
  const sender = { name: "Directory", url: SITE };
  smtp.send(verificationMail(sender, ADA, `${SITE}/secret-link`));
  return await fault.promise;
}

async function faultWith(encryption: MailEncryption): Promise<string> {
  await using mail = await startMailServer(encryption);
  return await faultAt(mail.url.replace("//", "//ada:secret-password@"));
}

suite("what the log says of a mail that isn't sent", () => {
  const trusted = getCACertificates("default");
  const folder = temporaryFolder();
  const other = makeCertificate(folder.path, "mail.example");
  after(() => {
    setDefaultCACertificates(trusted);
    folder[Symbol.dispose]();
  });

  test("an expired certificate", async () => {
    assert.equal(
      await faultWith("expired"),
      "ESOCKET CERT_HAS_EXPIRED: the mail server's certificate has expired; renew it there",
    );
  });

  test("one that no trusted authority signed", async () => {
    assert.match(
      await faultWith(other),
      /^ESOCKET DEPTH_ZERO_SELF_SIGNED_CERT: .* set NODE_EXTRA_CA_CERTS to the file of your own authority/,
    );
  });

  test("one of another host", async () => {
    setDefaultCACertificates([...trusted, other.certificate]);
    assert.match(
      await faultWith(other),
      /^ESOCKET ERR_TLS_CERT_ALTNAME_INVALID: .* set SMTP_URL to the name in the certificate$/,
    );
  });

  test("a server that isn't there, without what the mail says", async () => {
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    const port = typeof address === "object" ? address?.port : 0;
    server.close();
    await once(server, "close");
    const fault = await faultAt(`smtp://ada:secret@127.0.0.1:${port}`);
    assert.match(fault, /^E\w+ ECONNREFUSED$/);
  });
});
