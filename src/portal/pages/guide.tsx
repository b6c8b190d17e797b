import { Page } from "../page.tsx";

export default function Guide() {
  return <Page title="Guide" lead="From the first request to every rule." />;
}
