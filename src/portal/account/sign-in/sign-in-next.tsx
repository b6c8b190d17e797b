import { PAGE_PATHS } from "../../../site/page-paths.ts";
import { ButtonLink } from "../../components/button.tsx";
import { useSession } from "../../api/session.tsx";
import { SignOutButton } from "../sign-out-button.tsx";
import { nextPath, withQuery } from "./next-path.ts";
import styles from "./sign-in.module.css";

/**
 * Leads from a mailed link to the sign-in page, or, in a browser that is signed in as another user, says so and lets
 * the reader choose.
 */
export function SignInNext({
  email,
  next = null,
}: {
  /** The address to sign in with. */
  readonly email: string;
  /** The page that the user came for. */
  readonly next?: string | null;
}) {
  const { email: other } = useSession();
  const signIn = PAGE_PATHS["sign-in"];
  if (typeof other !== "string" || other === email)
    return (
      <ButtonLink
        className={styles.wide}
        look="primary"
        href={withQuery(signIn, { next })}
      >
        Sign in
      </ButtonLink>
    );
  return (
    <>
      <p>
        You’re still signed in as <strong>{other}</strong>. To use the account
        of <strong>{email}</strong>, sign out first.
      </p>
      <SignOutButton
        className={styles.wide}
        look="primary"
        to={withQuery(signIn, { notice: "signed-out", next })}
      >
        Sign out
      </SignOutButton>
      <p className={styles.footnote}>
        <ButtonLink className={styles.wide} href={nextPath(null)}>
          Stay signed in
        </ButtonLink>
      </p>
    </>
  );
}
