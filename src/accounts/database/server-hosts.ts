/** What the sessions of a connection must be able to do; the values of libpq's `target_session_attrs`. */
const SESSIONS = [
  "any",
  "read-write",
  "primary",
  "read-only",
  "standby",
  "prefer-standby",
] as const;
export type Session = (typeof SESSIONS)[number];

/** What a connection is for: everything, or reading only. */
export type Purpose = "write" | "read";

/** The hosts of a URL, at least one, in the order in which they are tried. */
export interface ServerHosts {
  /** A URL for each host. */
  readonly urls: readonly [string, ...string[]];
  readonly session: Session;
}

export type ParsedHosts =
  | { readonly outcome: "hosts"; readonly hosts: ServerHosts }
  /** What is wrong with the URL ("must …"), without its user and password. */
  | { readonly outcome: "malformed"; readonly problem: string };

const PORTS = { min: 1, max: 65_535 };
const SCHEME = /^postgres(ql)?:\/\/./;
/** Scheme, user and password, hosts, and the rest: path and query. */
const PARTS = /^([a-z]+:\/\/)([^/?#]*@)?([^@/?#]*)([^]*)$/;
/** A host name, an address, or a folder of sockets with escaped slashes; and a port. */
const HOST = /^(?:\[[0-9a-f:.]+\]|[^:[\]]*)(?::([^:]*))?$/i;

/** Names no part of the URL: what looks like a port may be a password with a special character. */
const NOT_A_PORT = `has a port that is not a number from ${PORTS.min} to ${PORTS.max}, or a special character that is not percent-encoded in the user or password (@ is %40, / is %2F)`;

/**
 * Splits a URL of one or several servers, in libpq's form: `postgres://USER:PASSWORD@HOST:PORT,HOST:PORT/DATABASE`, or
 * the hosts and ports as parameters `host` and `port`.
 */
export function parseHosts(url: string, purpose: Purpose): ParsedHosts {
  if (!SCHEME.test(url)) return malformed("must start with postgres://");
  const [, scheme = "", user = "", authority = "", rest = ""] =
    PARTS.exec(url) ?? [];
  const query = queryOf(rest);
  const names = hostsOf(authority, query);
  if (typeof names === "string") return malformed(names);
  const session = sessionOf(query, purpose);
  if (!isSession(session)) return malformed(session);
  const urls = names.map(({ inQuery, name }) =>
    inQuery === null
      ? `${scheme}${user}${name}${rest}`
      : `${scheme}${user}${authority}${withQuery(rest, inQuery)}`,
  );
  const [first, ...others] = urls;
  if (first === undefined || !urls.every(isReadable))
    return malformed(
      "must be a URL such as postgres://USER:PASSWORD@HOST:5432/DATABASE, with special characters in the user and password percent-encoded (@ is %40, / is %2F)",
    );
  return {
    outcome: "hosts",
    hosts: { urls: [first, ...others], session },
  };
}

function malformed(problem: string): ParsedHosts {
  return { outcome: "malformed", problem };
}

interface HostName {
  /** As in the URL, with its port. */
  readonly name: string;
  /** The query with this host; null if hosts are not in the query. */
  readonly inQuery: URLSearchParams | null;
}

/** The hosts, or what is wrong with them. */
function hostsOf(
  authority: string,
  query: URLSearchParams,
): HostName[] | string {
  const inQuery = query.get("host");
  if (inQuery !== null) return hostsOfQuery(inQuery, query);
  const names = authority.split(",");
  if (names.length > 1 && names.includes(""))
    return "has an empty host in its list of hosts";
  for (const name of names) {
    const [, port = ""] = HOST.exec(name) ?? [];
    if (!isPort(port)) return NOT_A_PORT;
  }
  return names.map((name) => ({ name, inQuery: null }));
}

function hostsOfQuery(
  host: string,
  query: URLSearchParams,
): HostName[] | string {
  const hosts = host.split(",");
  const ports = query.get("port")?.split(",") ?? [];
  if (ports.length > 1 && ports.length !== hosts.length)
    return `has ${hosts.length} hosts and ${ports.length} ports; list one port, or one for each host`;
  if (!ports.every(isPort)) return NOT_A_PORT;
  return hosts.map((name, index) => {
    const own = new URLSearchParams(query);
    own.set("host", name);
    const port = ports[index] ?? ports[0];
    if (port !== undefined) own.set("port", port);
    return { name, inQuery: own };
  });
}

function isPort(text: string): boolean {
  if (text === "") return true;
  const port = Number(text);
  return /^[0-9]+$/.test(text) && port >= PORTS.min && port <= PORTS.max;
}

/** What sessions must be able to do, or what is wrong with the parameter. */
function sessionOf(query: URLSearchParams, purpose: Purpose): string {
  const stated = query.get("target_session_attrs");
  if (stated === null) return purpose === "write" ? "read-write" : "any";
  if (!isSession(stated))
    return `has target_session_attrs=${stated}; it must be one of ${SESSIONS.join(", ")}`;
  if (purpose === "write" && /only|standby/.test(stated))
    return `has target_session_attrs=${stated}, but must lead to a writable server; replicas belong in DATABASE_READ_URL`;
  return stated;
}

function isSession(text: string): text is Session {
  return SESSIONS.some((session) => session === text);
}

function queryOf(rest: string): URLSearchParams {
  const [, query = ""] = /^[^?#]*\?([^#]*)/.exec(rest) ?? [];
  return new URLSearchParams(query);
}

function withQuery(rest: string, query: URLSearchParams): string {
  return `${rest.replace(/[?#][^]*$/, "")}?${query.toString()}`;
}

/** Whether the client library can read the URL of one host. It takes an empty host, and escapes what it can. */
function isReadable(url: string): boolean {
  const escaped = / |%[^a-f0-9]|%[a-f0-9][^a-f0-9]/i.test(url)
    ? encodeURI(url).replace(/%25(\d\d)/g, "%$1")
    : url;
  const read = URL.parse(escaped) ?? URL.parse(escaped.replace("@/", "@_/"));
  if (read === null) return false;
  try {
    for (const part of [read.username, read.password, read.hostname])
      decodeURIComponent(part);
    decodeURI(read.pathname);
    return true;
  } catch {
    return false;
  }
}
