import { ERROR_CODES, ERRORS } from "../../contract/errors/errors.ts";
import { escaped } from "../../text/lists.ts";
import { publicPath } from "../../text/public-path.ts";
import {
  describedRoutes,
  publishedPath,
  type DescribedRoute,
  type Route,
  type RouteContext,
} from "../routes/route.ts";
import { hash } from "node:crypto";
import {
  LINK_FAULTS,
  readLinkToken,
  type LinkToken,
} from "../../text/link-token.ts";
import { content, type Handler, type Reply } from "../call.ts";
import { HTML_TYPE, PAGE_HEADERS } from "../pipeline/headers.ts";

/** Pages without scripts, which do not need the built portal. Each starts with a warning if the data is stale. */

/** Makes the page behind every error's `doc_url`, with a section per code. The code is the anchor. */
export function errorsPage(warning: string | null): string {
  const links = ERROR_CODES.map((code) => `<li>${linkTo(code)}</li>`);
  return pageOf(
    "Errors",
    warning,
    `<p>Every response that is not a success has one of these codes in <code>error.code</code>.</p>
<ul>
${links.join("\n")}
</ul>
${ERROR_CODES.map(errorSection).join("\n")}`,
  );
}

/** Makes the API reference for installations without the portal's pages. */
export function referencePage(
  routes: readonly Route[],
  warning: string | null,
  publicUrl: string | null,
): string {
  const document = publicPath(publicUrl, "/openapi.json");
  const errors = publicPath(publicUrl, "/docs/errors");
  const described = describedRoutes(routes);
  const links = described.map(
    ({ described: { operationId, summary }, path }) =>
      `<li><a href="#${operationId}"><code>GET ${publishedPath(path)}</code></a> ${toHtml(summary)}</li>`,
  );
  return pageOf(
    "API reference",
    warning,
    `<p>For programs, see <a href="${document}">${document}</a> (OpenAPI 3.1). <a href="${errors}">${errors}</a> explains the error codes.</p>
<ul>
${links.join("\n")}
</ul>
${described.map((route) => operationSection(route, errors)).join("\n")}`,
  );
}

function errorSection(code: (typeof ERROR_CODES)[number]): string {
  const { status, title, when, remedy } = ERRORS[code];
  return `<section id="${code}">
<h2><code>${code}</code></h2>
<p><strong>${status} ${toHtml(title)}.</strong> ${toHtml(when)}</p>
<p>${toHtml(remedy)}</p>
</section>`;
}

function operationSection(
  { described, path }: DescribedRoute,
  errors: string,
): string {
  const { codes = [], description, operationId, query, summary } = described;
  const parameters = Object.entries({
    ...described.pathParameters,
    ...query?.properties,
  }).map(
    ([name, schema]) =>
      `<dt><code>${name}</code></dt><dd>${toHtml(String(Reflect.get(schema, "description") ?? ""))}</dd>`,
  );
  return `<section id="${operationId}">
<h2><code>GET ${publishedPath(path)}</code></h2>
<p><strong>${toHtml(summary)}.</strong> ${toHtml(description)}</p>
${parameters.length === 0 ? "" : `<dl>\n${parameters.join("\n")}\n</dl>\n`}${codes.length === 0 ? "" : `<p>Errors: ${codes.map((code) => linkTo(code, errors)).join(", ")}.</p>\n`}</section>`;
}

function linkTo(code: string, page = ""): string {
  return `<a href="${page}#${code}"><code>${code}</code></a>`;
}

/** Makes a whole page, from its title and its body as HTML. */
function pageOf(title: string, warning: string | null, body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 44rem; margin: 2rem auto; padding: 0 1rem; }
code { font-family: ui-monospace, monospace; background: #8881; padding: 0 0.2em; }
section:target { outline: 2px solid #888; outline-offset: 0.6rem; }
</style>
</head>
<body>
<main>
${warning === null ? "" : `<p role="note"><strong>This data is out of date.</strong> ${toHtml(warning)}</p>\n`}<h1>${title}</h1>
${body}
</main>
</body>
</html>
`;
}

/** Converts a text with backticks for code and no other markup. */
function toHtml(text: string): string {
  return escaped(text).replace(/`([^`]*)`/g, "<code>$1</code>");
}

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

/** Serves the page of a mailed link that confirms an address, if there is no portal. It sends nothing until asked to. */
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
      return replyOf(
        `<p>${escaped(link.isChange ? LINK_FAULTS.changeExpired : LINK_FAULTS.expired)}</p>`,
      );
    const service = settings.signUp?.name ?? new URL(url).host;
    const next = ownUrl(searchParams.get("callbackURL") ?? "/", url);
    return replyOf(confirmation(service, link, next));
  };
}

function replyOf(body: string): Reply {
  return content(pageOf(TITLE, null, body), HTML_TYPE, HEADERS);
}

/** Writes the page's text and button. `next` is a URL of the service to lead on to; null for none. */
function confirmation(
  service: string,
  { email, isChange }: LinkToken,
  next: string | null,
): string {
  const what = isChange
    ? ["wants the address of their account at", "to be"]
    : ["signed up for", "with"];
  return `<p>Someone ${what.join(` ${escaped(service)} `)} <strong>${escaped(email)}</strong>.</p>
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
