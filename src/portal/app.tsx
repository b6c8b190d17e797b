import { Component, Suspense, useMemo, type ReactNode } from "react";
import { pageAt } from "../site/page-paths.ts";
import type { PortalFacts } from "../site/portal-facts.ts";
import { FailureAlert } from "./components/failure-alert.tsx";
import { Spinner } from "./components/loading.tsx";
import { FactsContext } from "./facts.ts";
import { Layout } from "./layout.tsx";
import { NotFound } from "./not-found.tsx";
import { PAGES } from "./pages.ts";
import { usePlace } from "./router.tsx";
import { SessionProvider } from "./session.tsx";
import { useAsk } from "./use-ask.ts";

/** The whole portal: what the installation is, who is signed in, and the page of the address. */
export function App() {
  const { answer, failure, retry } = useAsk<PortalFacts>("/portal.json");
  if (failure !== null)
    return (
      <main className="alone">
        <FailureAlert failure={failure} onRetry={retry} />
      </main>
    );
  if (answer === null)
    return (
      <main className="alone">
        <Spinner label="Loading" />
      </main>
    );
  return (
    <FactsContext value={answer.data}>
      <SessionProvider>
        <Layout>
          <PageOfAddress />
        </Layout>
      </SessionProvider>
    </FactsContext>
  );
}

function PageOfAddress() {
  const { path } = usePlace();
  const place = useMemo(() => pageAt(path), [path]);
  if (place === null) return <NotFound />;
  const Page = PAGES[place.page];
  return (
    <PageFault key={place.page}>
      <Suspense fallback={<Spinner label="Loading the page" />}>
        <Page {...place.parameters} />
      </Suspense>
    </PageFault>
  );
}

/** Shows that a page failed, or that its code is gone because the service was upgraded meanwhile. */
class PageFault extends Component<
  { readonly children: ReactNode },
  { readonly hasFailed: boolean }
> {
  override state = { hasFailed: false };

  static getDerivedStateFromError() {
    return { hasFailed: true };
  }

  override render() {
    if (!this.state.hasFailed) return this.props.children;
    return (
      <FailureAlert
        failure={{ kind: "broken" }}
        onRetry={() => location.reload()}
      />
    );
  }
}
