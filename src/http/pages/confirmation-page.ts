import { hash } from "node:crypto";
import { LINK_FAULTS } from "../../text/link-token.ts";
import { PAGE_HEADERS } from "../pipeline/headers.ts";
import { escaped } from "./page-head.ts";
import { pageOf } from "./plain-pages.ts";

const TITLE = "Confirm your email address";

/** Sends the token in the page's address once the button is pressed. */
const SCRIPT = `
const [button, said, next] = ["button", "[role=status]", "#next"].map((each) => document.querySelector(each));
button.addEventListener("click", async () => {
  button.disabled = true;
  said.textContent = "";
  try {
    const answer = await fetch("auth/verify-email", {
      method: "POST",
      headers: { "content-type": "application/json", "x-requested-with": "page" },
      body: JSON.stringify({ token: new URLSearchParams(location.search).get("token") }),
    });
    const { email, error, message, signedIn } = await answer.json();
    if (answer.ok) {
      button.remove();
      next?.removeAttribute("hidden");
      said.textContent = signedIn
        ? email + " is confirmed, and you are signed in."
        : email + " is confirmed. Sign in as this user with the password that you chose.";
      return;
    }
    said.textContent = message ?? error.message;
  } catch {
    said.textContent = "The service can't be reached. Try again.";
  }
  button.disabled = false;
});
`;

/** The page's headers, which allow its script and nothing more. */
export const CONFIRMATION_HEADERS: Readonly<Record<string, string>> = {
  ...PAGE_HEADERS,
  "content-security-policy": `${PAGE_HEADERS["content-security-policy"]}; connect-src 'self'; script-src 'sha256-${hash("sha256", SCRIPT, "base64")}'`,
  "cache-control": "no-store",
};

/** What a mailed link leads to. */
export interface Confirmation {
  /** What the service is called. */
  readonly service: string;
  /** The address to confirm, or why the link can't work. */
  readonly link: { readonly email: string } | keyof typeof LINK_FAULTS;
  /** A URL of the service to lead on to; null for none. */
  readonly next: string | null;
}

/** The page of the link in a sign-up's mail, for installations without the portal. It sends nothing until asked to. */
export function confirmationPage({
  link,
  next,
  service,
}: Confirmation): string {
  if (typeof link === "string")
    return pageOf(TITLE, null, `<p>${escaped(LINK_FAULTS[link])}</p>`);
  return pageOf(
    TITLE,
    null,
    `<p>Someone signed up for ${escaped(service)} with <strong>${escaped(link.email)}</strong>.</p>
<p>Confirm the address only if this was you. Otherwise, close this page: the address won't be used.</p>
<p><button type="button">Confirm email address</button></p>
<p role="status"></p>
${next === null ? "" : `<p id="next" hidden><a href="${escaped(next)}">Continue</a></p>\n`}<noscript><p>This page needs JavaScript. Without it, send the token in the page's address: <code>POST /auth/verify-email</code> with <code>{"token":"…"}</code>.</p></noscript>
<script>${SCRIPT}</script>`,
  );
}
