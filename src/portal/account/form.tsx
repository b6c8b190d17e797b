import {
  useState,
  type ChangeEvent,
  type ReactNode,
  type SubmitEvent,
} from "react";
import type { ApiFailure, ApiRequestOptions } from "../api/api.ts";
import { useMutation, type Mutation } from "../api/use-mutation.ts";

/** A form and what came of sending it. */
export interface FormState extends Pick<
  Mutation,
  "failure" | "clearFailure" | "isBusy"
> {
  /** Whether the reader has tried to send it: only then is said what is missing. */
  readonly isTried: boolean;
  readonly submit: () => void;
  /** As before the first try. */
  readonly reset: () => void;
  /** For a field: takes its text, and forgets why it was refused. */
  readonly typed: (
    set: (text: string) => void,
  ) => (event: ChangeEvent<HTMLInputElement>) => void;
}

export interface FormOptions<T> {
  /** Whether all fields can be sent as they are; what the service refused last is `failure`. */
  readonly isComplete: (failure: ApiFailure | null) => boolean;
  /** What is sent: a POST unless `method` says otherwise. */
  readonly request: () => ApiRequestOptions & { readonly path: string };
  readonly onDone: (answer: T) => void;
  /** Told of each try, also of one that cannot be sent. */
  readonly onTry?: () => void;
  readonly onFailure?: (failure: ApiFailure) => void;
}

/** Sends a form when it is complete. The focus goes to the first field with a problem, found here or by the service. */
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
