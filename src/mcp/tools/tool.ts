import type { JsonSchemaType } from "@modelcontextprotocol/server";
import type { StatusAnswer } from "../../contract/answers.ts";
import {
  ask,
  isRefused,
  type Api,
  type Parameters,
  type Refused,
} from "../api.ts";
import type { Shown, Status } from "../result.ts";
import { list, object } from "../schemas.ts";

/** The arguments of a call, which the tool's schema was checked against. */
export type Arguments = Parameters;

/** A tool for assistants: it makes requests to our API of its input, and shows the answers. */
export interface Tool {
  readonly name: string;
  readonly title: string;
  /** When to use it, and how to get more. */
  readonly description: string;
  readonly input: JsonSchemaType;
  readonly output: JsonSchemaType;
  call(given: Arguments, api: Api): Promise<Found | Refused>;
}

/** The content of a result, and its snapshot. */
export interface Found extends Shown {
  /** The snapshot that it comes from; null if from none. */
  readonly snapshot: string | null;
}

export const TEXT = { type: "string" };
export const WHOLE = { type: "integer" };
export const FLAG = { type: "boolean" };

/** Describes the output of a tool: its own members, its rows, and what all results have. */
export function output(
  properties: Readonly<Record<string, object>>,
  row?: object,
): JsonSchemaType {
  return object({
    ...properties,
    ...(row === undefined ? {} : { results: list(row) }),
    data_date: TEXT,
    snapshot: TEXT,
    next: { type: "object" },
  });
}

/** Reads the date of a snapshot's data; null if the status can't be read. */
export async function statusOf(
  api: Api,
  snapshot: string | null,
): Promise<Status | null> {
  const status = await ask<StatusAnswer>(api, "/v1/status");
  if (isRefused(status)) return null;
  const { data_date: date, snapshot: current } = status.body.data;
  return {
    data_date: snapshot === null || snapshot === current ? date : null,
    snapshot: snapshot ?? current,
  };
}
