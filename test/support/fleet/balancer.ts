/** The shipped load balancers in front of three nodes, with the files of `deploy` as they are but for addresses. */

import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { Agent, request } from "node:https";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { temporaryFolder } from "../pure/temporary-folder.ts";
import { until } from "../pure/until.ts";
import { makeCertificate } from "../postgresql/certificate.ts";
import { missingProgram } from "../postgresql/debian-package.ts";

export const HAPROXY = "/usr/sbin/haproxy";
const NGINX = "/usr/sbin/nginx";
/** The port of every balancer. */
export const BALANCER_PORT = 8443;
const HOST = "directory.example";
/** Less than the 60 seconds after which HAProxy closes an idle connection, possibly as a request is sent over it. */
const MAX_IDLE_MS = 20_000;

/** A load balancer with TLS in front of three nodes. */
export interface Balancer extends AsyncDisposable {
  /** The host that clients connect to. */
  readonly host: string;
  /** What it logged: a line for each answer, other than those to `/healthz`. */
  log(): readonly BalancedAnswer[];
}

export interface BalancedAnswer {
  readonly line: string;
  /** Number of the node in the configuration, 1 to 3; null if none answered. */
  readonly node: number | null;
}

/** What is behind a load balancer. */
export interface Balanced {
  /** The balancer takes the address `127.A.B.1` of the network `127.A.B.`. */
  readonly network: string;
  /** Three of them. */
  readonly nodes: readonly { readonly address: string }[];
}

/** A kind of load balancer. */
export interface BalancerKind {
  readonly name: string;
  /** Why it cannot run here, or false. */
  readonly missing: string | false;
  /** The text of the shipped configuration. */
  readonly file: string;
  /** Starts it; `edit` changes the configuration first. */
  start(
    balanced: Balanced,
    edit?: (configuration: string) => string,
  ): Promise<Balancer>;
}

export const HAPROXY_KIND: BalancerKind = {
  name: "haproxy.cfg",
  missing: notRoot("HAProxy") || missingProgram(HAPROXY, "haproxy"),
  file: shipped("haproxy.cfg"),
  start: startHaproxy,
};

export const NGINX_KIND: BalancerKind = {
  name: "nginx.conf",
  missing: notRoot("nginx") || missingProgram(NGINX, "nginx-light"),
  file: shipped("nginx.conf"),
  start: startNginx,
};

async function startHaproxy(
  { network, nodes }: Balanced,
  edit = (text: string) => text,
): Promise<Balancer> {
  await using owned = new AsyncDisposableStack();
  const folder = owned.use(temporaryFolder());
  const host = `${network}1`;
  const file = join(folder.path, "haproxy.cfg");
  writeFileSync(file, edit(HAPROXY_KIND.file));
  const [node1, node2, node3] = nodes.map(({ address }) => address);
  const child = spawn(HAPROXY, ["-db", "-f", file], {
    env: {
      NODE1: node1,
      NODE2: node2,
      NODE3: node3,
      BIND: `${host}:${BALANCER_PORT} ssl crt ${makeCertificate(folder.path, HOST).file} alpn h2,http/1.1`,
      METRICS: `${host}:8404`,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let out = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (out += text));
  owned.use(ending(child));
  // A new server counts as up until its first check.
  await listening(host, child);
  const running = owned.move();
  return {
    host,
    log: () =>
      out
        .split("\n")
        .filter((line) => / public~? .*(?<!\/healthz)$/.test(line))
        .map((line) => ({
          line,
          node:
            Number(/ (?:nodes|assets)\/node([123]) /.exec(line)?.[1] ?? 0) ||
            null,
        })),
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

async function startNginx(
  { network, nodes }: Balanced,
  edit = (text: string) => text,
): Promise<Balancer> {
  await using owned = new AsyncDisposableStack();
  const folder = owned.use(temporaryFolder());
  const host = `${network}1`;
  const file = join(folder.path, "nginx.conf");
  writeFileSync(
    file,
    edit(NGINX_KIND.file)
      .replaceAll(
        /10\.0\.0\.1([1-3]):8080/g,
        (given, node) => nodes[Number(node) - 1]?.address ?? given,
      )
      .replaceAll(
        "/etc/nginx/directory.pem",
        makeCertificate(folder.path, HOST).file,
      )
      .replaceAll("/var/log/nginx", folder.path)
      .replace("/run/nginx.pid", join(folder.path, "nginx.pid"))
      .replace("listen 443", `listen ${host}:${BALANCER_PORT}`),
  );
  const child = spawn(NGINX, ["-c", file, "-g", "daemon off;"], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  owned.use(ending(child));
  await listening(host, child);
  const running = owned.move();
  return {
    host,
    log: () =>
      readFileSync(join(folder.path, "access.log"), "utf8")
        .split("\n")
        .filter((line) => line !== "" && !line.includes(" /healthz"))
        .map((line) => ({
          line,
          // Of several that were tried, the last one answered.
          node:
            nodes.findLastIndex(({ address }) =>
              new RegExp(` ${address} \\d{3} `).test(line),
            ) + 1 || null,
        })),
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

/** A client of a balancer that keeps its connections. */
export class BalancedClient implements Disposable {
  readonly #agent: Agent;
  readonly #host: string;

  constructor(host: string, localAddress?: string) {
    this.#host = host;
    this.#agent = new Agent({
      keepAlive: true,
      timeout: MAX_IDLE_MS,
      localAddress,
      // HAProxy takes 256 of one address.
      maxSockets: 200,
      // The certificate is the test's.
      rejectUnauthorized: false,
    });
  }

  /** Sends a request without retrying it. */
  async send(
    path: string,
    headers: Record<string, string> = {},
    method = "GET",
  ): Promise<{
    readonly status: number;
    readonly headers: Record<string, string | string[] | undefined>;
    readonly body: Buffer;
  }> {
    const sent = request({
      agent: this.#agent,
      headers,
      host: this.#host,
      method,
      path,
      port: BALANCER_PORT,
    });
    sent.end();
    const [answer] = await once(sent, "response");
    const body = await buffer(answer);
    return { status: answer.statusCode, headers: answer.headers, body };
  }

  [Symbol.dispose](): void {
    this.#agent.destroy();
  }
}

async function listening(host: string, child: ChildProcess): Promise<void> {
  let err = "";
  child.stderr
    ?.setEncoding("utf8")
    .on("data", (text: string) => void (err += text));
  using client = new BalancedClient(host);
  await until("the load balancer to listen", async () => {
    if (child.exitCode !== null) throw new Error(`It ended:\n${err}`);
    return client.send("/healthz").then(
      ({ status }) => status === 200,
      () => false,
    );
  });
}

/** Ends a program that runs. */
export function ending(child: ChildProcess): AsyncDisposable {
  const ended = once(child, "close");
  return {
    async [Symbol.asyncDispose]() {
      child.kill("SIGTERM");
      await ended;
    },
  };
}

/** The text of a file of `deploy`. */
export function shipped(name: string): string {
  return readFileSync(
    fileURLToPath(new URL(`../../../deploy/${name}`, import.meta.url)),
    "utf8",
  );
}

/** The shipped files change the user. */
function notRoot(name: string): string | false {
  return process.getuid?.() === 0
    ? false
    : `${name} starts as root with the shipped file: run the tests as root`;
}
