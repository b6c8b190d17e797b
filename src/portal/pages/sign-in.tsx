import { Page } from "../page.tsx";

export default function SignIn() {
  return <Page title="Sign in" lead="With your e-mail address and password." />;
}
