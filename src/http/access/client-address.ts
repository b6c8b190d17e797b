import { isIPv6 } from "node:net";

const IPV4_WITH_PORT = /^((?:\d{1,3}\.){3}\d{1,3}):\d{1,5}$/;
const IN_BRACKETS = /^\[([0-9A-Fa-f:.]+)\](?::\d{1,5})?$/;
/** The groups before an IPv4 address in IPv6 notation. */
const MAPPED = [0, 0, 0, 0, 0, 0xffff];

/** Returns the network of one customer: an IPv4 address, or the first 64 bits of an IPv6 address, in any notation. */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address;
  const groups = groupsOf(address);
  if (MAPPED.every((group, index) => groups[index] === group))
    return groups
      .slice(6)
      .flatMap((group) => [group >> 8, group & 255])
      .join(".");
  return groups
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(":");
}

/** Returns the network as an address; for IPv6 its first one. */
export function networkAddressOf(address: string): string {
  const network = networkOf(address);
  return isIPv6(address) && network.includes(":") ? `${network}::` : network;
}

function groupsOf(address: string): number[] {
  const [plain = ""] = address.split("%");
  const written = plain.replace(
    /(\d+)\.(\d+)\.(\d+)\.(\d+)$/,
    (_text, ...bytes: string[]) => {
      const [a = 0, b = 0, c = 0, d = 0] = bytes.slice(0, 4).map(Number);
      return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
    },
  );
  const [head = "", tail = ""] = written.split("::");
  const [left, right] = [head, tail].map((side) =>
    side === ""
      ? []
      : side.split(":").map((group) => Number.parseInt(group, 16)),
  );
  const zeros = 8 - (left?.length ?? 0) - (right?.length ?? 0);
  return [...(left ?? []), ...Array<number>(zeros).fill(0), ...(right ?? [])];
}

/**
 * Removes the ports that some proxies add to `X-Forwarded-For` (`203.0.113.9:50123`, `[2001:db8::1]:443`): they change
 * with each connection of the same client.
 */
export function withoutPorts(header: string): string {
  return header
    .split(",")
    .map((each) => {
      const address = each.trim();
      const bare = IPV4_WITH_PORT.exec(address) ?? IN_BRACKETS.exec(address);
      return bare?.[1] ?? address;
    })
    .join(", ");
}
