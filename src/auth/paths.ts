/** Where sign-up and sign-in are, below the service's own address. */
export const AUTH_PATH = "/auth";

/** The header in which the library gets the address of a client's network, as the service knows it; a client's own is overwritten. */
export const CLIENT_ADDRESS_HEADER = "x-provider-directory-client";

/** The pages of the portal that links lead to. */
export const SIGN_IN_PAGE = "/sign-in";
export const RESET_PAGE = "/reset-password";
export const CONFIRMED_PAGE = "/email-confirmed";
