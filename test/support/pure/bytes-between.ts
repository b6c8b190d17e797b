import { readFile } from "node:fs/promises";
import type { Socket } from "node:net";

/** How many bytes the kernel holds between the two ends of a connection on this machine. */
export async function bytesBetween({
  localPort = 0,
  remotePort = 0,
}: Socket): Promise<number> {
  const [one, other] = [localPort, remotePort].map((port) =>
    port.toString(16).toUpperCase().padStart(4, "0"),
  );
  const table = await readFile("/proc/net/tcp", "utf8");
  return table
    .split("\n")
    .filter((line) => line.includes(`:${one} `) && line.includes(`:${other} `))
    .flatMap((line) => / (\w{8}):(\w{8}) /.exec(line)?.slice(1) ?? [])
    .reduce((sum, hex) => sum + Number.parseInt(hex, 16), 0);
}
