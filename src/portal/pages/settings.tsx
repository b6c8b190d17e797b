import { Page } from "../page.tsx";

export default function Settings() {
  return <Page title="API keys" lead="A key is shown once, when it is made." />;
}
