import {
  Component,
  lazy,
  Suspense,
  useEffect,
  useMemo,
  type ComponentType,
  type ReactNode,
} from "react";
import { matchPage, type PageName } from "../site/page-paths.ts";
import type { PortalConfig } from "../site/portal-config.ts";
import { FailureAlert } from "./components/failure-alert.tsx";
import { Spinner } from "./components/elements.tsx";
import { callApi, type ApiFailure } from "./api/api.ts";
import { ConfigContext } from "./api/config.ts";
import { Layout } from "./shell/layout.tsx";
import { NotFound } from "./shell/not-found.tsx";
import { useLocation } from "./shell/router.tsx";
import { SessionProvider } from "./api/session.tsx";
import { useQuery } from "./api/use-query.ts";

/** Each page's component, loaded on first use. The path's parameters are its props. */
const PAGES: Readonly<
  Record<PageName, ComponentType<Readonly<Record<string, string>>>>
> = {
  explorer: lazy(() => import("./pages/explorer.tsx")),
  provider: lazy(() => import("./pages/provider.tsx")),
  check: lazy(() => import("./pages/check.tsx")),
  "sign-in": lazy(() => import("./pages/sign-in.tsx")),
  "sign-up": lazy(() => import("./pages/sign-up.tsx")),
  "forgot-password": lazy(() => import("./pages/forgot-password.tsx")),
  "reset-password": lazy(() => import("./pages/reset-password.tsx")),
  "confirm-email": lazy(() => import("./pages/confirm-email.tsx")),
  settings: lazy(() => import("./pages/settings.tsx")),
  usage: lazy(() => import("./pages/usage.tsx")),
  plan: lazy(() => import("./pages/plan.tsx")),
  security: lazy(() => import("./pages/security.tsx")),
  guide: lazy(() => import("./pages/guide.tsx")),
  "guide-page": lazy(() => import("./pages/guide.tsx")),
  reference: lazy(() => import("./pages/reference.tsx")),
};

/** While there is no data, how often the page looks for it. */
const NO_DATA_SECONDS = 10;

/** Shows the whole portal: configuration, session, and the page at the address. */
export function App() {
  const { answer, failure, retry } = useQuery<PortalConfig>("/portal.json");
  const isEmpty = answer !== null && answer.data.source === null;
  useEffect(() => {
    if (!isEmpty) return undefined;
    const timer = setInterval(retry, NO_DATA_SECONDS * 1_000);
    return () => clearInterval(timer);
  }, [isEmpty, retry]);
  if (failure !== null)
    return (
      <main className="standalone">
        <FailureAlert failure={failure} onRetry={retry} />
      </main>
    );
  if (answer === null)
    return (
      <main className="standalone">
        <Spinner label="Loading" />
      </main>
    );
  return (
    <ConfigContext value={answer.data}>
      <SessionProvider>
        <Layout>
          <PageOfAddress />
        </Layout>
      </SessionProvider>
    </ConfigContext>
  );
}

function PageOfAddress() {
  const { path } = useLocation();
  const place = useMemo(() => matchPage(path), [path]);
  if (place === null) return <NotFound />;
  const Page = PAGES[place.page];
  return (
    <ErrorBoundary key={place.page}>
      <Suspense
        fallback={
          <div className="page-loading">
            <Spinner label="Loading the page" />
          </div>
        }
      >
        <Page {...place.parameters} />
      </Suspense>
    </ErrorBoundary>
  );
}

interface ErrorBoundaryState {
  /** The error of the page, or null. */
  readonly failure: ApiFailure | null;
}

/** Catches pages that fail, such as when their code can't be loaded, or is gone after an upgrade. */
class ErrorBoundary extends Component<
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
          // Only if the service is up: otherwise the browser's error page would replace this one.
          void this.#findOut().then((isThere) => isThere && location.reload());
        }}
      />
    );
  }

  /** True if the service is up. */
  async #findOut(): Promise<boolean> {
    const outcome = await callApi("/portal.json");
    this.setState({
      failure: outcome.ok ? { kind: "broken" } : outcome.failure,
    });
    return outcome.ok;
  }
}
