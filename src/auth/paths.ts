/** Where sign-up and sign-in are, below the service's own address. */
export const AUTH_PATH = "/auth";

/** The header in which the library gets the address of a client's network, as the service knows it; a client's own is overwritten. */
export const CLIENT_ADDRESS_HEADER = "x-provider-directory-client";
