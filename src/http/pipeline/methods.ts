import type { Failure } from "./failure.ts";

/** The methods of paths that other sites' scripts may call. */
export const OPEN_METHODS = "GET, HEAD, OPTIONS";

/** The failure for a method that a path does not accept; `allowed` lists those it accepts. */
export function methodNotAllowed(
  method: string,
  allowed = OPEN_METHODS,
): Failure {
  return {
    code: "method_not_allowed",
    message: `This path does not accept ${method}. Use ${allowed}.`,
    headers: { allow: allowed },
  };
}
