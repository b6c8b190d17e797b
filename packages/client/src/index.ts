/** A client of the Provider Directory Service. */

export { ProviderDirectory, type Status, type Taxonomies } from "./client.ts";
export type { Interpretation, Providers } from "./providers.ts";
export type { Batch, Npis } from "./batch.ts";
export type { Changes } from "./changes.ts";
export type { Export } from "./export.ts";
export type { FileAddress, FileOptions, FileRange, Files } from "./files.ts";
export type { Call, CallOptions, Received } from "./call.ts";
export type { List, Page } from "./list.ts";
export type { ClientOptions } from "./transport.ts";
export type { Limit, RateLimit } from "./rate-limit.ts";
export { isNpi } from "./npi.ts";
export * from "./errors.ts";
export type * from "./types.ts";
