import { Page } from "../page.tsx";

export default function ForgotPassword() {
  return (
    <Page
      title="Forgot your password?"
      lead="A link to choose a new one comes by e-mail."
    />
  );
}
