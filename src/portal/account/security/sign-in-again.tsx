import { PAGE_PATHS } from "../../../site/page-paths.ts";
import { Alert } from "../../components/alert.tsx";
import { ButtonLink } from "../../components/button.tsx";
import { usePlace } from "../../shell/router.tsx";
import { pathWith } from "../sign-in/next-path.ts";

/** The way in, which leads back to this page. */
export function SignInAgain({ hasEnded }: { readonly hasEnded: boolean }) {
  const { path, query } = usePlace();
  const next = pathWith(path, Object.fromEntries(query));
  return (
    <Alert
      kind={hasEnded ? "warning" : "info"}
      title={hasEnded ? "Your session has ended" : "Sign in to continue"}
    >
      <p>
        {hasEnded
          ? "What you see may be out of date. Sign in, and you are back on this page."
          : "This page is about your own account."}
      </p>
      <ButtonLink href={pathWith(PAGE_PATHS["sign-in"], { next })}>
        Sign in
      </ButtonLink>
    </Alert>
  );
}
