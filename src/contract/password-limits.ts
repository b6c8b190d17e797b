/** The length of a password in UTF-16 code units, as better-auth counts them. */
export const LEAST_PASSWORD = 12;
export const LONGEST_PASSWORD = 128;
