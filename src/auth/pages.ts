/** The pages of the portal that links lead to. */
export const SIGN_IN_PAGE = "/sign-in";
export const RESET_PAGE = "/reset-password";
export const CONFIRMED_PAGE = "/email-confirmed";
