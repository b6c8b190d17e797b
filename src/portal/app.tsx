import { Suspense, useMemo } from "react";
import { pageAt } from "../site/page-paths.ts";
import type { PortalFacts } from "../site/portal-facts.ts";
import { FailureAlert } from "./components/failure-alert.tsx";
import { Spinner } from "./components/loading.tsx";
import { ConfigContext } from "./api/config.ts";
import { Layout } from "./shell/layout.tsx";
import { NotFound } from "./shell/not-found.tsx";
import { ErrorBoundary } from "./shell/page-fault.tsx";
import { PAGES } from "./pages.ts";
import { usePlace } from "./shell/router.tsx";
import { SessionProvider } from "./api/session.tsx";
import { useQuery } from "./api/use-query.ts";

/** The whole portal: what the installation is, who is signed in, and the page of the address. */
export function App() {
  const { answer, failure, retry } = useQuery<PortalFacts>("/portal.json");
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
  const { path } = usePlace();
  const place = useMemo(() => pageAt(path), [path]);
  if (place === null) return <NotFound />;
  const Page = PAGES[place.page];
  return (
    <ErrorBoundary key={place.page}>
      <Suspense fallback={<Spinner label="Loading the page" />}>
        <Page {...place.parameters} />
      </Suspense>
    </ErrorBoundary>
  );
}
