import { ERROR_CODES, ERRORS } from "../../contract/errors.ts";

/** The page behind every error's `doc_url`: one section for each code, whose anchor is the code. */
export function errorsPage(): string {
  const links = ERROR_CODES.map(
    (code) => `<li><a href="#${code}"><code>${code}</code></a></li>`,
  ).join("\n");
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Errors</title>
<style>
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 44rem; margin: 2rem auto; padding: 0 1rem; }
code { font-family: ui-monospace, monospace; background: #8881; padding: 0 0.2em; }
section:target { outline: 2px solid #888; outline-offset: 0.6rem; }
</style>
</head>
<body>
<h1>Errors</h1>
<p>Every answer that is not a success has one of these codes in <code>error.code</code>.</p>
<ul>
${links}
</ul>
${ERROR_CODES.map(section).join("\n")}
</body>
</html>
`;
}

function section(code: (typeof ERROR_CODES)[number]): string {
  const { status, title, when, remedy } = ERRORS[code];
  return `<section id="${code}">
<h2><code>${code}</code></h2>
<p><strong>${status} ${toHtml(title)}.</strong> ${toHtml(when)}</p>
<p>${toHtml(remedy)}</p>
</section>`;
}

/** The table's sentences use backticks for code and no other markup. */
function toHtml(text: string): string {
  const escaped = text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;");
  return escaped.replace(/`([^`]*)`/g, "<code>$1</code>");
}
