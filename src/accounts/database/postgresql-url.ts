/** Apart from `postgresql-fault.ts`, so that settings are read without the client library. */

/** Scheme, user and password, host and port, path, query. What looks like a port may be an unescaped password. */
const SHAPE =
  /^postgres(?:ql)?:\/\/(?:[^/?#]*@)?((?:\[[0-9a-f:.]+\]|[^@/?#:]*)(?::\d*)?(?:,[^@/?#]*)?)(?:\/[^@?#]*)?(?:\?([^#]*))?$/i;

/** Values of libpq's `target_session_attrs` that a writable primary has. The service demands one in any case. */
const WRITABLE: ReadonlySet<string> = new Set(["any", "read-write", "primary"]);

/** Problem of a URL that the client library cannot read. */
export const MALFORMED =
  "must be a URL such as postgres://USER:PASSWORD@HOST:5432/DATABASE, with special characters in the user and password percent-encoded (@ is %40, / is %2F)";

/** Finds what is wrong with the URL of a server ("must …"), without its user and password; null for nothing. */
export function problemOfUrl(url: string): string | null {
  if (!/^postgres(ql)?:\/\/./.test(url)) return "must start with postgres://";
  const [shaped, authority = "", search = ""] = SHAPE.exec(url) ?? [];
  if (shaped === undefined) return MALFORMED;
  const query = new URLSearchParams(search);
  const places = [authority, query.get("host"), query.get("port")];
  if (places.some((place) => place?.includes(",")))
    return "must name one server, not several: a proxy that finds the primary, such as HAProxy, or the address that your provider manages (see Failover in docs/deploying.md)";
  const session = query.get("target_session_attrs") ?? "any";
  return WRITABLE.has(session)
    ? null
    : `has target_session_attrs=${session}, but must lead to a server that can be written: remove it`;
}
