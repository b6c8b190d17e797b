import { useState } from "react";
import { Button } from "../../components/button.tsx";
import { MutationError } from "../mutation-error.tsx";
import { EmailField, isEmailRefused, problemOfEmail } from "./email-field.tsx";
import { Form, showFirstProblem } from "../form.tsx";
import { useMutation } from "../../api/use-mutation.ts";

/** Asks for an address, and has a link mailed to it. */
export function AskForLink({
  bodyFor,
  button,
  hint,
  onSent,
  path,
}: {
  /** What asks for the mail. */
  readonly path: string;
  readonly bodyFor: (email: string) => object;
  readonly button: string;
  readonly hint?: string;
  readonly onSent: (email: string) => void;
}) {
  const [email, setEmail] = useState("");
  const [isTried, setTried] = useState(false);
  const { failure, forget, isBusy, run } = useMutation();
  const problem = problemOfEmail(email, failure);

  async function send(): Promise<void> {
    setTried(true);
    if (problemOfEmail(email) !== null) {
      showFirstProblem();
      return;
    }
    const address = email.trim();
    const answer = await run(path, { body: bodyFor(address) });
    if (answer === null) showFirstProblem();
    else onSent(address);
  }

  return (
    <Form onSubmit={() => void send()}>
      <EmailField
        {...(hint === undefined ? {} : { hint })}
        value={email}
        onText={(text) => {
          setEmail(text);
          forget();
        }}
        problem={isTried ? problem : null}
      />
      {!isEmailRefused(failure) && (
        <MutationError
          failure={failure}
          onForget={forget}
          onRetry={() => void send()}
        />
      )}
      <Button className="wide" type="submit" look="primary" isBusy={isBusy}>
        {button}
      </Button>
    </Form>
  );
}
