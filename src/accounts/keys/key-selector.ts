import { KEY_PATTERN } from "../../contract/credentials.ts";
import {
  DISPLAY_PREFIX_LENGTH,
  DISPLAY_SUFFIX_LENGTH,
  hashKey,
  isWellFormedKey,
  KEY_MARK,
} from "./api-key.ts";

/** How a stored key is selected. */
export type KeySelector =
  | { readonly by: "id"; readonly id: number }
  | { readonly by: "hash"; readonly hash: string }
  | {
      readonly by: "display";
      readonly prefix: string;
      readonly lastFour: string | null;
    }
  | { readonly by: "nothing"; readonly problem: string };

const PREFIX = new RegExp(`^${KEY_MARK}[0-9A-Za-z]*$`);
const SUFFIX = new RegExp(`^[0-9A-Za-z]{${DISPLAY_SUFFIX_LENGTH}}$`);

/**
 * Parses a key's display prefix (12 characters; more are accepted, but only these are stored and compared), the prefix
 * with the last four (`pd_live_aB3x…9Zk2`, `...` works too), or a whole key.
 */
export function parseKeySelector(text: string): KeySelector {
  const trimmed = text.trim();
  if (KEY_PATTERN.test(trimmed)) {
    return isWellFormedKey(trimmed)
      ? { by: "hash", hash: hashKey(trimmed) }
      : {
          by: "nothing",
          problem: "The key is mistyped: its checksum does not match.",
        };
  }
  const [prefix = "", suffix, ...more] = trimmed.split(/…|\.\.\./);
  const isWellFormed =
    PREFIX.test(prefix) &&
    prefix.length < KEY_MARK.length + 36 &&
    more.length === 0;
  if (!isWellFormed || (suffix !== undefined && !SUFFIX.test(suffix))) {
    return {
      by: "nothing",
      problem: `A key starts with ${KEY_MARK}, followed by letters and digits.`,
    };
  }
  if (prefix.length < DISPLAY_PREFIX_LENGTH) {
    return {
      by: "nothing",
      problem: `Give at least the first ${DISPLAY_PREFIX_LENGTH} characters of the key.`,
    };
  }
  return {
    by: "display",
    prefix: prefix.slice(0, DISPLAY_PREFIX_LENGTH),
    lastFour: suffix ?? null,
  };
}
