import { Component, type ReactNode } from "react";
import { ask, type ApiFailure } from "../api/api.ts";
import { FailureAlert } from "../components/failure-alert.tsx";

interface ErrorBoundaryState {
  /** Why there is no page, null while there is one. */
  readonly failure: ApiFailure | null;
}

/** Shows that a page failed: its code cannot be loaded now, or is gone because the service was upgraded meanwhile. */
export class ErrorBoundary extends Component<
  { readonly children: ReactNode },
  ErrorBoundaryState
> {
  override state: ErrorBoundaryState = { failure: null };

  static getDerivedStateFromError(): ErrorBoundaryState {
    return { failure: { kind: "broken" } };
  }

  override componentDidCatch(): void {
    void this.#findOut();
  }

  override render() {
    const { failure } = this.state;
    if (failure === null) return this.props.children;
    return (
      <FailureAlert
        failure={failure}
        onRetry={() => {
          // Not where nothing would come: the browser's own page would take the place of this one.
          void this.#findOut().then((isThere) => isThere && location.reload());
        }}
      />
    );
  }

  /** Whether the service is there. */
  async #findOut(): Promise<boolean> {
    const outcome = await ask("/portal.json");
    this.setState({
      failure: outcome.ok ? { kind: "broken" } : outcome.failure,
    });
    return outcome.ok;
  }
}
