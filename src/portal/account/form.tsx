import type { ReactNode, SubmitEvent } from "react";

/** A form that the page itself sends. The browser's own bubbles stay away: each field says what is wrong with it. */
export function Form({
  children,
  onSubmit,
}: {
  readonly onSubmit: () => void;
  readonly children: ReactNode;
}) {
  function submit(event: SubmitEvent<HTMLFormElement>): void {
    event.preventDefault();
    onSubmit();
  }
  return (
    <form noValidate onSubmit={submit}>
      {children}
    </form>
  );
}

/** Puts the focus on the first field with a problem, once it is shown. */
export function showFirstProblem(): void {
  requestAnimationFrame(() => {
    // Behind an open dialog nothing takes it.
    const place = document.querySelector("dialog[open]") ?? document;
    place.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  });
}
