import { Page } from "../page.tsx";

export default function Security() {
  return (
    <Page
      title="Security"
      lead="Password, sessions, and the end of the account."
    />
  );
}
