import type { Failure } from "../../../http/pipeline/failure.ts";
import {
  fail,
  refuseMisuse,
  type Context,
  type ExitCode,
} from "../../command.ts";

/** What is wrong with the first operand that isn't `PARAMETER=VALUE`; null if all are. */
export function oddOperand(operands: readonly string[]): string | null {
  const odd = operands.find((operand) => !/^[^=]+=/.test(operand));
  return odd === undefined
    ? null
    : `"${odd}" is not a parameter with a value. Write it as in state=CA.`;
}

/** Operands as the query of a URL, with its question mark. */
export function queryOfOperands(operands: readonly string[]): string {
  return `?${operands.map(encodePair).join("&")}`;
}

export function isFailure(outcome: object): outcome is Failure {
  return "code" in outcome;
}

/** Prints every sentence of a failure, as the API's error has them. */
export function refuse(failure: Failure, context: Context): ExitCode {
  const sentences = failure.details?.map(({ message }) => message) ?? [
    failure.message,
  ];
  const isMisuse =
    failure.code === "invalid_parameter" || failure.code === "invalid_location";
  const codes = sentences.map((sentence) =>
    isMisuse ? refuseMisuse(context, sentence) : fail(context, sentence),
  );
  return codes[0] ?? 1;
}

/** Why a snapshot that a query names cannot be read. */
export function notCurrent(pinned: string, current: string): string {
  return `Snapshot ${pinned} is not the current one, which is ${current}. Leave out snapshot.`;
}

function encodePair(operand: string): string {
  const equals = operand.indexOf("=");
  return [operand.slice(0, equals), operand.slice(equals + 1)]
    .map(encodeURIComponent)
    .join("=");
}
