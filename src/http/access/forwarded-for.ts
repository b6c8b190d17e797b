const IPV4_WITH_PORT = /^((?:\d{1,3}\.){3}\d{1,3}):\d{1,5}$/;
const IN_BRACKETS = /^\[([0-9A-Fa-f:.]+)\](?::\d{1,5})?$/;

/**
 * An `X-Forwarded-For` header without the ports that some proxies write (`203.0.113.9:50123`, `[2001:db8::1]:443`): a
 * client comes from another port with each connection, and is the same all the same.
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
