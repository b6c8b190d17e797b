/** The path prefix of sign-up and sign-in. */
export const AUTH_PATH = "/auth";

/** The path of mailed confirmation links, below `AUTH_PATH`. */
export const CONFIRM_PATH = "/verify-email";

/** Carries the client's network to the library. The service sets it and overwrites a client's own. */
export const CLIENT_ADDRESS_HEADER = "x-provider-directory-client";

/** Portal pages that links lead to. */
export const SIGN_IN_PAGE = "/sign-in";
export const RESET_PAGE = "/reset-password";
/** Served without the portal, too. */
export const CONFIRM_PAGE = "/confirm-email";
