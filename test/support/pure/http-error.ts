/** Errors as clients read them, checked against the published schemas. */

import assert from "node:assert/strict";
import { Compile } from "typebox/schema";
import {
  ErrorAnswer,
  ProblemAnswer,
} from "../../../src/contract/errors/error-answer.ts";

const errorAnswer = Compile(ErrorAnswer);
const problemAnswer = Compile(ProblemAnswer);

/** The `error` of a JSON error body. Fails when the body is not one. */
export function errorOf(body: string) {
  const answer: unknown = JSON.parse(body);
  assert.ok(errorAnswer.Check(answer), `not an error body: ${body}`);
  return answer.error;
}

/** An RFC 9457 body. Fails when the body is not one. */
export function problemOf(body: string) {
  const answer: unknown = JSON.parse(body);
  assert.ok(problemAnswer.Check(answer), `not a problem body: ${body}`);
  return answer;
}

/** The bad parameters that an error lists, as `param code`. */
export function badParameters(body: string): string[] {
  const { details = [] } = errorOf(body);
  return details.map(({ param, code }) => `${param} ${code}`);
}
