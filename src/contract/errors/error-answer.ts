import { Type } from "typebox";
import type { Static } from "typebox";
import { ERROR_CODES } from "./errors.ts";

const CODE = Type.String({
  enum: [...ERROR_CODES],
  description: "The error code; /docs/errors explains each one.",
});
const PARAM = Type.Optional(
  Type.String({
    description: "The first bad parameter, if parameters are at fault.",
  }),
);
const DETAILS = Type.Optional(
  Type.Array(
    Type.Object({
      param: Type.String({ description: "The parameter's name." }),
      code: CODE,
      message: Type.String({
        description: "What is wrong with the parameter; states the limit.",
      }),
    }),
    {
      description:
        "Every bad parameter, if parameters are at fault, even if there is only one.",
    },
  ),
);
const STATUS = Type.Integer({ description: "The HTTP status." });
const MESSAGE =
  "What went wrong, for people. The wording may change; the code does not.";

/** The error body, written by `failure.ts`. */
export const ErrorAnswer = Type.Object(
  {
    error: Type.Object({
      code: CODE,
      message: Type.String({ description: MESSAGE }),
      status: STATUS,
      param: PARAM,
      details: DETAILS,
      doc_url: Type.String({
        description: "Link to the explanation of the code.",
      }),
      request_id: Type.String({
        description:
          "Same as `X-Request-Id`. Include it when you report a problem.",
      }),
    }),
  },
  { title: "Error", description: "The body of every error." },
);

/** The same facts in the format of RFC 9457, for clients that accept `application/problem+json`. */
export const ProblemAnswer = Type.Object(
  {
    type: Type.String({
      description: "Link to the explanation of the code.",
    }),
    title: Type.String({ description: "The code in words." }),
    status: STATUS,
    detail: Type.String({ description: MESSAGE }),
    instance: Type.String({
      description: "The request id, same as `X-Request-Id`.",
    }),
    code: CODE,
    param: PARAM,
    details: DETAILS,
  },
  { title: "Problem", description: "An error in the format of RFC 9457." },
);

export type ErrorAnswer = Static<typeof ErrorAnswer>;
