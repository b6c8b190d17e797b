import { useState } from "react";
import { PAGE_TITLES } from "../../site/page-titles.ts";
import { AccountLog } from "../account/security/account-log.tsx";
import { ChangeAddress } from "../account/security/change-address.tsx";
import { ChangePassword } from "../account/security/change-password.tsx";
import { DeleteAccount } from "../account/security/delete-account.tsx";
import { Sessions } from "../account/security/sessions.tsx";
import { SettingsFailure, SettingsPage } from "../account/settings-page.tsx";
import { TwoFactor } from "../account/security/two-factor.tsx";
import { useConfig } from "../api/config.ts";
import { Skeleton, Tag } from "../components/elements.tsx";
import { useQuery } from "../api/use-query.ts";

/** A row of `GET /auth/list-accounts`: a way to sign in. */
interface LinkedLogin {
  /** `credential` is a password. */
  readonly providerId: string;
}

export default function Security() {
  return (
    <SettingsPage
      title={PAGE_TITLES.security}
      lead="Email address, password, two-factor authentication, sessions, and account log."
    >
      <Parts />
    </SettingsPage>
  );
}

function Parts() {
  const logins = useQuery<LinkedLogin[]>("/auth/list-accounts");
  /** Changes when the sessions do, to list them again. */
  const [version, setVersion] = useState(0);
  if (logins.answer === null)
    return logins.failure === null ? (
      <Skeleton lines={10} />
    ) : (
      <SettingsFailure failure={logins.failure} onRetry={logins.retry} />
    );
  const names = logins.answer.data.map(({ providerId }) => providerId);
  const hasPassword = names.includes("credential");
  return (
    <>
      <ChangePassword
        hasPassword={hasPassword}
        onChanged={() => setVersion(version + 1)}
      />
      <TwoFactor
        hasPassword={hasPassword}
        onChanged={() => setVersion(version + 1)}
      />
      <ChangeAddress hasPassword={hasPassword} />
      <LinkedLogins names={names} />
      <Sessions key={version} />
      <AccountLog />
      <DeleteAccount hasPassword={hasPassword} />
    </>
  );
}

/** Shows whether GitHub is connected; nothing if GitHub isn’t configured. */
function LinkedLogins({ names }: { readonly names: readonly string[] }) {
  const { github } = useConfig();
  const isLinked = names.includes("github");
  if (!github && !isLinked) return null;
  return (
    <section aria-labelledby="ways-in">
      <h2 id="ways-in">GitHub</h2>
      <p>
        {isLinked ? (
          <>
            <Tag look="good">Connected</Tag> You can sign in with GitHub.
          </>
        ) : (
          <>
            <Tag>Not connected</Tag> To connect it, sign in once with a GitHub
            account that has the same confirmed email address.
          </>
        )}
      </p>
    </section>
  );
}
