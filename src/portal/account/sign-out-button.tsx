import { useState, type ComponentProps } from "react";
import { callApi } from "../api/api.ts";
import { leaveAccount } from "../api/session-broadcast.ts";
import { Button, type ButtonLook } from "../components/button.tsx";

/** Signs the user out and leads to a page. */
export function SignOutButton({
  children,
  className,
  look = "plain",
  to,
}: ButtonLook &
  Pick<ComponentProps<"button">, "className"> & {
    readonly children: string;
    readonly to: string;
  }) {
  const [hasFailed, setFailed] = useState(false);

  async function leave(): Promise<void> {
    setFailed(false);
    const outcome = await callApi("/auth/sign-out", {
      method: "POST",
      body: {},
    });
    if (outcome.ok) leaveAccount(to);
    else setFailed(true);
  }

  return (
    <>
      {hasFailed && (
        <p role="alert" className="problem">
          Couldn’t sign you out. Try again.
        </p>
      )}
      <Button className={className} look={look} onClick={() => void leave()}>
        {children}
      </Button>
    </>
  );
}
