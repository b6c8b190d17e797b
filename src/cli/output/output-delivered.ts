import type { Output } from "./output.ts";
import type { Undelivered } from "../command.ts";
import { untilAborted } from "../stop-signal.ts";

/** Meanings of system error codes for an output, and what to do. */
const BY_CODE: Readonly<Record<string, string>> = {
  ENOSPC: "the disk is full. Free some space, or redirect it elsewhere.",
  EDQUOT:
    "the disk quota is used up. Free some space, or redirect it elsewhere.",
  EFBIG: "the file would exceed the size limit. Redirect it elsewhere.",
  EIO: "the device failed. Check it, or redirect it elsewhere.",
  EPIPE: "its reader is gone. Redirect it to a file or another program.",
};

/** Waits for a slow reader until the program should stop; see `Context.delivered`. */
export async function outputDelivered(
  output: Output,
  stop: AbortSignal,
): Promise<Undelivered | null> {
  await Promise.race([output.flush(), untilAborted(stop)]);
  const { fault, name, waiting } = output;
  if (waiting === 0) return null;
  const code = fault?.code ?? "";
  const reason =
    fault === null
      ? "nothing reads it. Redirect it to a file or another program."
      : (BY_CODE[code] ?? `${fault.message}. Redirect it elsewhere.`);
  return {
    message: `Cannot write to ${name}: ${reason}`,
    isReaderGone: code === "EPIPE",
  };
}
