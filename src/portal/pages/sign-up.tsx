import { Page } from "../page.tsx";

export default function SignUp() {
  return (
    <Page
      title="Sign up"
      lead="Get a key for the API; the free plan asks for no payment card."
    />
  );
}
