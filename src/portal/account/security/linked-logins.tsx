import { useConfig } from "../../api/config.ts";

/** A row of `GET /auth/list-accounts`: how somebody can sign in. */
export interface LinkedLogin {
  /** `credential` is a password. */
  readonly providerId: string;
}

/** With what the reader can sign in; only a password leaves nothing to be said. */
export function LinkedLogins({ names }: { readonly names: readonly string[] }) {
  const { github } = useConfig();
  const isLinked = names.includes("github");
  if (!github && !isLinked) return null;
  return (
    <section aria-labelledby="ways-in">
      <h2 id="ways-in">GitHub</h2>
      <p>
        {isLinked ? (
          <>
            <span className="tag tag-good">Connected</span> You can sign in with
            GitHub.
          </>
        ) : (
          <>
            <span className="tag">Not connected</span> To connect it, sign in
            once with the GitHub account of the same confirmed address.
          </>
        )}
      </p>
    </section>
  );
}
