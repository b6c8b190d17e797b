/** An error's status, code, and sentence, which many requests have in common; all of the body if it has no code. */
export function failureIn(status: number, body: string): string {
  const [, code, sentence] =
    /"code":"([a-z_]+)","message":"([^"]*)"/.exec(body) ?? [];
  return `${status} ${code === undefined ? body : `${code}: ${sentence}`}`;
}
