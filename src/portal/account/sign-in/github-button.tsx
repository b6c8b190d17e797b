import { PAGE_PATHS } from "../../../site/page-paths.ts";
import { useConfig } from "../../api/config.ts";
import { RedirectButton } from "../redirect-button.tsx";
import { withQuery } from "./next-path.ts";
import styles from "./sign-in.module.css";

/** Signs in with GitHub, if that is configured, and goes on to `next`. */
export function GithubButton({ next }: { readonly next: string }) {
  const { github } = useConfig();
  if (!github) return null;
  return (
    <div className={styles.otherWay}>
      <p className={styles.or}>or</p>
      <RedirectButton
        path="/auth/sign-in/social"
        body={{
          provider: "github",
          callbackURL: next,
          errorCallbackURL: withQuery(PAGE_PATHS["sign-in"], { next }),
        }}
      >
        Continue with GitHub
      </RedirectButton>
    </div>
  );
}
