/** How long a password is, in UTF-16 code units, as the library of sign-in counts them. */
export const LEAST_PASSWORD = 12;
export const LONGEST_PASSWORD = 128;
