/** The length of a password in UTF-16 code units, as better-auth counts them. */
export const MIN_PASSWORD_LENGTH = 12;
export const MAX_PASSWORD_LENGTH = 128;
