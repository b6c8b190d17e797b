import { PAGE_PATHS } from "../../../site/page-paths.ts";
import { Button } from "../../components/button.tsx";
import { useConfig } from "../../api/config.ts";
import { MutationError } from "../mutation-error.tsx";
import { pathWith } from "./next-path.ts";
import { useMutation } from "../../api/use-mutation.ts";

/** Leads to GitHub, where that is configured, and from there to `next`. */
export function GithubButton({ next }: { readonly next: string }) {
  const { github } = useConfig();
  const { failure, forget, isBusy, run } = useMutation();
  if (!github) return null;

  async function leave(): Promise<void> {
    const answer = await run<{ readonly url: string }>("/auth/sign-in/social", {
      body: {
        provider: "github",
        callbackURL: next,
        errorCallbackURL: pathWith(PAGE_PATHS["sign-in"], { next }),
      },
    });
    if (answer !== null) location.assign(answer.data.url);
  }

  return (
    <div className="other-way">
      <p className="or">or</p>
      <MutationError
        failure={failure}
        onForget={forget}
        onRetry={() => void leave()}
      />
      <Button isBusy={isBusy} onClick={() => void leave()}>
        Continue with GitHub
      </Button>
    </div>
  );
}
