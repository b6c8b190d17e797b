import type { answerBody } from "../pipeline/answer-body.ts";
import type { ProviderData } from "../app-context.ts";
import type { Failure } from "../pipeline/failure.ts";

/** A question to the data, as the address of a request puts it: `/v1` and the explorer's page ask the same ones. */
export interface Question {
  /** Tells it from all others that the path can be asked. */
  readonly text: string;
  /** What these data lack for it, or how to find the answer. */
  ask(
    data: ProviderData,
  ): { readonly failure: Failure } | { readonly find: Find };
}

/** Finds the answer; `onFault` is told of a broken file, of which the client gets a failure. */
export type Find = (onFault: (error: unknown) => void) => Page | Failure;

/** A page of entries. */
export interface Page {
  /** An array of entries. */
  readonly json: string;
  readonly meta: Parameters<typeof answerBody>[1];
  /** The value of a Link header with the neighbours of this page below a path. */
  readonly links: (path: string) => string;
}

/** What a request target asks, or what is wrong with it. */
export type ReadQuestion = (
  target: string,
) => { readonly failure: Failure } | { readonly question: Question };
