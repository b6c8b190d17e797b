import { Page } from "../page.tsx";

export default function Usage() {
  return <Page title="Usage" lead="What was answered, by day (UTC)." />;
}
