/** The path prefix of sign-up and sign-in. */
export const AUTH_PATH = "/auth";

/** Carries the client's network to the library. The service sets it and overwrites a client's own. */
export const CLIENT_ADDRESS_HEADER = "x-provider-directory-client";

/** Portal pages that links lead to. */
export const SIGN_IN_PAGE = "/sign-in";
export const RESET_PAGE = "/reset-password";
export const CONFIRMED_PAGE = "/email-confirmed";
