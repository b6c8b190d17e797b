import { Page } from "../page.tsx";

export default function Provider({ npi = "" }: { readonly npi?: string }) {
  return (
    <Page title={`NPI ${npi}`} lead="What the registry says of a provider." />
  );
}
