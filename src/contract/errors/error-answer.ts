import { Type } from "typebox";
import type { Static } from "typebox";
import { ERROR_CODES } from "./errors.ts";
import { text, whole } from "../schemas.ts";

const CODE = Type.String({
  enum: [...ERROR_CODES],
  description: "The error code; /docs/errors explains each one.",
});
const PARAM = Type.Optional(
  text("The first bad parameter, if parameters are at fault."),
);
const DETAILS = Type.Optional(
  Type.Array(
    Type.Object({
      param: text("The parameter's name."),
      code: CODE,
      message: text("What is wrong with the parameter; states the limit."),
    }),
    {
      description:
        "Every bad parameter, if parameters are at fault, even if there is only one.",
    },
  ),
);
const STATUS = whole("The HTTP status.");
const MESSAGE =
  "What went wrong, for people. The wording may change; the code does not.";

/** The error body, written by `failure.ts`. */
export const ErrorAnswer = Type.Object(
  {
    error: Type.Object({
      code: CODE,
      message: text(MESSAGE),
      status: STATUS,
      param: PARAM,
      details: DETAILS,
      doc_url: text("Link to the explanation of the code."),
      request_id: text(
        "Same as `X-Request-Id`. Include it when you report a problem.",
      ),
    }),
  },
  { title: "Error", description: "The body of every error." },
);

/** The same facts in the format of RFC 9457, for clients that accept `application/problem+json`. */
export const ProblemAnswer = Type.Object(
  {
    type: text("Link to the explanation of the code."),
    title: text("The code in words."),
    status: STATUS,
    detail: text(MESSAGE),
    instance: text("The request id, same as `X-Request-Id`."),
    code: CODE,
    param: PARAM,
    details: DETAILS,
  },
  { title: "Problem", description: "An error in the format of RFC 9457." },
);

export type ErrorAnswer = Static<typeof ErrorAnswer>;
