import { Page } from "../page.tsx";

export default function Reference() {
  return (
    <Page
      title="API reference"
      lead="Every operation, with its parameters and answers."
    />
  );
}
