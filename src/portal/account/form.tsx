import {
  useState,
  type ChangeEvent,
  type ReactNode,
  type SubmitEvent,
} from "react";
import type { ApiFailure, ApiRequestOptions } from "../api/api.ts";
import { useMutation, type Mutation } from "../api/use-mutation.ts";
import { Button } from "../components/button.tsx";
import styles from "./sign-in/sign-in.module.css";

/** The state of a form and of its last submission. */
export interface FormState extends Pick<
  Mutation,
  "failure" | "clearFailure" | "isBusy"
> {
  /** True if the user has tried to submit it. Missing fields are reported only after that. */
  readonly isTried: boolean;
  readonly submit: () => void;
  /** Goes back to the state before the first try. */
  readonly reset: () => void;
  /** Returns an `onChange` for a field, which also clears the last failure. */
  readonly typed: (
    set: (text: string) => void,
  ) => (event: ChangeEvent<HTMLInputElement>) => void;
}

export interface FormOptions<T> {
  /** True if the fields can be sent. `failure` is the service's last refusal. */
  readonly isComplete: (failure: ApiFailure | null) => boolean;
  /** Returns the request to send; a POST by default. */
  readonly request: () => ApiRequestOptions & { readonly path: string };
  readonly onDone: (answer: T) => void;
  /** Called on each try, also if the form is incomplete. */
  readonly onTry?: () => void;
  readonly onFailure?: (failure: ApiFailure) => void;
}

/** Sends a form if it is complete. Otherwise, or if the service refuses it, focuses the first field with a problem. */
export function useForm<T>({
  isComplete,
  onDone,
  onFailure,
  onTry,
  request,
}: FormOptions<T>): FormState {
  const [isTried, setTried] = useState(false);
  const { attempt, failure, clearFailure, isBusy } = useMutation();

  async function submit(): Promise<void> {
    setTried(true);
    onTry?.();
    if (!isComplete(failure)) {
      showFirstProblem();
      return;
    }
    const { path, ...options } = request();
    const outcome = await attempt<T>(path, options);
    if (outcome?.ok === true) {
      onDone(outcome.answer.data);
      return;
    }
    showFirstProblem();
    if (outcome !== null) onFailure?.(outcome.failure);
  }

  return {
    failure,
    clearFailure,
    isBusy,
    isTried,
    submit: () => void submit(),
    reset() {
      setTried(false);
      clearFailure();
    },
    typed: (set) => (event) => {
      set(event.target.value);
      clearFailure();
    },
  };
}

/** Sends a form by script. The browser's own validation is off: each field shows its problem. */
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

/** Focuses the first field with a problem, once it is rendered. */
export function showFirstProblem(): void {
  requestAnimationFrame(() => {
    // Nothing behind an open dialog can be focused.
    const place = document.querySelector("dialog[open]") ?? document;
    place.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  });
}

/** Sends a sign-in or sign-up form. */
export function SubmitButton({
  children,
  isBusy,
}: {
  readonly children: ReactNode;
  readonly isBusy: boolean;
}) {
  return (
    <Button
      className={styles.wide}
      type="submit"
      look="primary"
      isBusy={isBusy}
    >
      {children}
    </Button>
  );
}
