import type { Output } from "../../server/log/output.ts";
import type { Undelivered } from "../command.ts";
import { untilAborted } from "../stop-signal.ts";

/** What the system's codes mean for an output, and what to do. */
const BY_CODE: Readonly<Record<string, string>> = {
  ENOSPC: "the disk is full. Free some space, or send it elsewhere.",
  EDQUOT: "the disk quota is used up. Free some space, or send it elsewhere.",
  EFBIG: "the file would become larger than is allowed. Send it elsewhere.",
  EIO: "the device failed. Check it, or send it elsewhere.",
  EPIPE: "its reader has gone. Send it to a file, or to a program that reads.",
};

/** See `Context.delivered`. A reader that is slow is waited for until the program is asked to stop. */
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
      ? "it is not read. Send it to a file, or to a program that reads."
      : (BY_CODE[code] ?? `${fault.message}. Send it elsewhere.`);
  return {
    message: `${name[0]?.toUpperCase()}${name.slice(1)} cannot be written: ${reason}`,
    isReaderGone: code === "EPIPE",
  };
}
