import { readFileSync } from "node:fs";
import { exit } from "node:process";
import { moving, TaskProgram } from "../../src/threads/task-thread.ts";

/** An error with additional members. */
export class EchoError extends Error {
  override readonly name = "EchoError";
  readonly advice: string;

  constructor(message: string, advice: string, options?: ErrorOptions) {
    super(message, options);
    this.advice = advice;
  }
}

/** Echoes its input, and fails in several ways. */
export const ECHO = new TaskProgram(
  import.meta.url,
  { name: "echo", purpose: "echoes", errors: [EchoError] },
  (input: { greeting: string; bytes?: Uint8Array<ArrayBuffer> }) => {
    if (input.greeting === "") throw new EchoError("Nothing said", "greet");
    return {
      greet: (name: string) => `${input.greeting} ${name}`,
      later: async (value: number) => Promise.resolve(value),
      bytes: () => {
        const bytes = input.bytes ?? new Uint8Array(0);
        return moving(bytes, [bytes.buffer]);
      },
      refuse: () => {
        throw new EchoError("Refused", "ask otherwise", {
          cause: new TypeError("the cause"),
        });
      },
      read: (path: string) => readFileSync(path),
      end: () => exit(0),
      hang: () => {
        for (;;);
      },
    };
  },
);
