import { hash } from "node:crypto";
import { escaped } from "../../text/lists.ts";
import { LINK_FAULTS, readLinkToken } from "../../text/link-token.ts";
import { publicPath } from "../../text/public-path.ts";
import { content, type Handler, type Reply } from "../call.ts";
import { HTML_TYPE, PAGE_HEADERS } from "../pipeline/headers.ts";
import type { RouteContext } from "../routes/route.ts";
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
const HEADERS = Object.entries({
  ...PAGE_HEADERS,
  "content-security-policy": `${PAGE_HEADERS["content-security-policy"]}; connect-src 'self'; script-src 'sha256-${hash("sha256", SCRIPT, "base64")}'`,
  "cache-control": "no-store",
}).flat();

/** Serves the page of the link in a sign-up's mail, if there is no portal. It sends nothing until asked to. */
export function plainConfirmation({
  deps: { auth, now, settings },
}: RouteContext): Handler | null {
  if (auth === null) return null;
  return (call) => {
    const url = auth.url();
    const { searchParams } = new URL(call.url, url);
    const link = readLinkToken(searchParams.get("token") ?? "");
    if (link === null) return replyOf(`<p>${escaped(LINK_FAULTS.unknown)}</p>`);
    if (link.expiresAt <= now())
      return replyOf(`<p>${escaped(LINK_FAULTS.expired)}</p>`);
    const service = settings.signUp?.name ?? new URL(url).host;
    const next = ownUrl(searchParams.get("callbackURL") ?? "/", url);
    return replyOf(confirmation(service, link.email, next));
  };
}

function replyOf(body: string): Reply {
  return content(pageOf(TITLE, null, body), HTML_TYPE, HEADERS);
}

/** Writes the page's text and button. `next` is a URL of the service to lead on to; null for none. */
function confirmation(
  service: string,
  email: string,
  next: string | null,
): string {
  return `<p>Someone signed up for ${escaped(service)} with <strong>${escaped(email)}</strong>.</p>
<p>Confirm the address only if this was you. Otherwise, close this page: the address won't be used.</p>
<p><button type="button">Confirm email address</button></p>
<p role="status"></p>
${next === null ? "" : `<p id="next" hidden><a href="${escaped(next)}">Continue</a></p>\n`}<noscript><p>This page needs JavaScript. Without it, send the token in the page's address: <code>POST /auth/verify-email</code> with <code>{"token":"…"}</code>.</p></noscript>
<script>${SCRIPT}</script>`;
}

/** Returns the URL of a target on the service; null for another site, and for `/`, to which links lead by default. */
function ownUrl(target: string, base: string): string | null {
  const isPath = /^\/(?!\/)/.test(target);
  const url = URL.parse(isPath ? publicPath(base, target) : target, base);
  return target === "/" || url?.origin !== new URL(base).origin
    ? null
    : url.href;
}
