import { Page } from "../page.tsx";

export default function ResetPassword() {
  return <Page title="Choose a new password" lead="At least 12 characters." />;
}
