import type { Random } from "../../../accounts/keys/api-key.ts";
import type { SignUpSettings } from "../../../auth/open-auth.ts";
import { keptSecret } from "../../../auth/secret.ts";
import { makeFolder } from "../../../files/make-folder.ts";
import type { SnapshotStore } from "../../../store/store.ts";
import type { ValuesOf } from "../../../settings/setting.ts";
import type { SIGN_UP } from "../../../settings/sign-up-settings.ts";

export interface SignUpOptions extends ValuesOf<typeof SIGN_UP> {
  /** True if it is on by default for demo data. */
  readonly isForDemo: boolean;
}

export type SignUp =
  /** Null settings: sign-up is off. */
  | { readonly outcome: "settled"; readonly settings: SignUpSettings | null }
  /** A sentence that says what to set. */
  | { readonly outcome: "refused"; readonly message: string };

/** Resolves the sign-up settings, or says what is missing. Only a demo may print emails in the terminal. */
export function signUpFor(
  {
    dataDir,
    databaseUrl,
    name,
    publicUrl,
    signUp,
  }: {
    readonly dataDir: string;
    readonly databaseUrl: string | null;
    /** The service's name. */
    readonly name: string;
    readonly publicUrl: string | null;
    readonly signUp: SignUpOptions;
  },
  store: SnapshotStore,
  random: Random,
): SignUp {
  const { githubId, githubSecret, mailFrom, smtpUrl } = signUp;
  const isDemo = servesDemo(store);
  const isDefault = smtpUrl !== null || (signUp.isForDemo && isDemo);
  if (signUp.wanted === "off" || (signUp.wanted === null && !isDefault))
    return { outcome: "settled", settings: null };
  if (smtpUrl === null && !isDemo)
    return refused(
      "Sign-up needs a mail server. Set SMTP_URL (smtp://USER:PASSWORD@HOST:587) and MAIL_FROM, or turn sign-up off (SIGN_UP=off).",
    );
  if (smtpUrl !== null && mailFrom === null)
    return refused(
      "SMTP_URL is set but MAIL_FROM is not. Set MAIL_FROM to the sender's email address.",
    );
  if (smtpUrl !== null && publicUrl === null)
    return refused(
      "Sign-up needs PUBLIC_URL, for the links in emails. Set it to the service's public URL, such as https://api.example.org.",
    );
  if (databaseUrl !== null && signUp.secret === null)
    return refused(
      "Sign-up with DATABASE_URL needs AUTH_SECRET, the same on every machine. Set it to the output of openssl rand -base64 32.",
    );
  if ((githubId === null) !== (githubSecret === null))
    return refused(
      "Only one of GITHUB_CLIENT_ID and GITHUB_CLIENT_SECRET is set. Set both, or neither.",
    );
  makeFolder(dataDir);
  return {
    outcome: "settled",
    settings: {
      name,
      secret: signUp.secret ?? keptSecret(dataDir, random),
      github:
        githubId === null || githubSecret === null
          ? null
          : { clientId: githubId, clientSecret: githubSecret },
      mail:
        smtpUrl === null || mailFrom === null
          ? { kind: "terminal" }
          : { kind: "smtp", url: smtpUrl, from: senderOf(mailFrom, name) },
    },
  };
}

/** Adds the service's name to an address without one. */
function senderOf(mailFrom: string, name: string) {
  return mailFrom.includes("<") ? mailFrom : { name, address: mailFrom };
}

/** True if the current snapshot is a demo. */
export function servesDemo(store: SnapshotStore): boolean {
  const current = store.list().find(({ isCurrent }) => isCurrent);
  return current?.metadata?.demo === true;
}

function refused(message: string): SignUp {
  return { outcome: "refused", message };
}
