/** The longest request target that is read, in bytes; longer is `uri_too_long`. */
export const MAX_URL_BYTES = 8_192;

/** The most that all header lines may take together, in bytes; more is `headers_too_large`. */
export const MAX_HEADER_BYTES = 16_384;

/**
 * Where Node's parser gives up, counting target and headers together. It stands well above the two limits, so that
 * ordinary excess still reaches the app and is told apart, and below the 64 KB that are read at once, so that mostly the
 * line in which it gave up is at hand.
 */
export const PARSER_BYTES = 49_152;

/** The longest body of those few requests that have one, in bytes; longer is `body_too_large`. */
export const MAX_BODY_BYTES = 16_384;

/** How long a client may take to send a whole request, and its headers alone, in milliseconds. */
export const REQUEST_TIMEOUT_MS = 30_000;
export const HEADERS_TIMEOUT_MS = 20_000;

/**
 * From how many bytes on a connection counts as full, in either direction: no more is read while that much waits to be
 * parsed. What is read at once, up to 64 KB, comes on top.
 */
export const CONNECTION_BUFFER_BYTES = 16_384;

/** How many connections a worker keeps: with what may wait on each, less than half a gigabyte. */
export const MOST_CONNECTIONS = 2_048;

/** How long a client may take nothing of an answer that waits for it, in milliseconds. */
export const STALLED_MS = 30_000;

/** How long an idle connection is kept; above the 60 s of common load balancers, so that they close first. */
export const KEEP_ALIVE_TIMEOUT_MS = 72_000;

/** How long a refused connection may linger so that the client can read why, in milliseconds. */
export const LINGER_MS = 1_000;

/** Bodies of this many bytes and more are compressed: above 1 KB. */
export const COMPRESSION_THRESHOLD_BYTES = 1_025;

/** When to ask again while no snapshot is loaded, in seconds: a new one is picked up that fast. */
export const DATA_RETRY_SECONDS = 5;
