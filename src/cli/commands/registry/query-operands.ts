import type { Failure } from "../../../http/pipeline/failure.ts";
import { CommandError, misuse, PROGRAM } from "../../command.ts";

/** Fails if an operand isn't `PARAMETER=VALUE`. */
export function requireParameters(operands: readonly string[]): void {
  const odd = operands.find((operand) => !/^[^=]+=/.test(operand));
  if (odd !== undefined)
    throw misuse(
      `"${odd}" is not a parameter with a value. Write it as in state=CA.`,
    );
}

/** Writes operands as the query of a URL, with its question mark. */
export function queryOfOperands(operands: readonly string[]): string {
  return `?${operands.map(encodePair).join("&")}`;
}

export function isFailure(outcome: object): outcome is Failure {
  return "code" in outcome;
}

/** Makes the error for a failure, with a line for every sentence, as the API's error has them. */
export function errorOf({ code, details, message }: Failure): CommandError {
  const sentences = details?.map((detail) => detail.message) ?? [message];
  const isMisuse = code === "invalid_parameter" || code === "invalid_location";
  return new CommandError(sentences.join(`\n${PROGRAM}: `), isMisuse ? 2 : 1);
}

/** Makes the error for a snapshot that a query names and that cannot be read. */
export function notCurrent(pinned: string, current: string): CommandError {
  return new CommandError(
    `Snapshot ${pinned} is not the current one, which is ${current}. Leave out snapshot.`,
  );
}

function encodePair(operand: string): string {
  const equals = operand.indexOf("=");
  return [operand.slice(0, equals), operand.slice(equals + 1)]
    .map(encodeURIComponent)
    .join("=");
}
