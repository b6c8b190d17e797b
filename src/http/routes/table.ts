import { BILLING_ROUTES } from "./account/account-billing.ts";
import { KEY_ROUTES } from "./account/account-keys.ts";
import { AUDIT_LOG_ROUTE, USAGE_ROUTE } from "./account/usage-and-log.ts";
import { ACCOUNT_ROUTES } from "./account/account.ts";
import { AUTH_ROUTE } from "./account/auth.ts";
import { BATCH_ROUTE } from "./batch.ts";
import { CHANGES_ROUTE } from "./changes.ts";
import {
  DOCS_ROUTE,
  ERROR_DOCS_ROUTE,
  OPENAPI_ROUTE,
} from "./site/documentation.ts";
import { DOWNLOAD_ROUTES } from "./download.ts";
import { EXPLORER_ROUTES } from "./explore.ts";
import { CHECK_ROUTE } from "./explorer/check.ts";
import { EXPORT_ROUTE } from "./export.ts";
import { FILE_ROUTE, FILES_ROUTE } from "./files.ts";
import { HEALTH_ROUTE, READINESS_ROUTE } from "./health.ts";
import { INTERPRET_ROUTE } from "./interpret.ts";
import { LOOKUP_ROUTE } from "./lookup.ts";
import { MCP_METADATA_ROUTE, MCP_ROUTE } from "./mcp.ts";
import { MAP_TILES_ROUTE } from "./site/map-tiles.ts";
import { NEARBY_ROUTE } from "./nearby.ts";
import { PORTAL_ROUTES } from "./site/portal.ts";
import { REGISTRY_API_ROUTES } from "./registry-api.ts";
import type { Route } from "./route.ts";
import { SEARCH_ROUTE } from "./search.ts";
import { STATUS_ROUTE } from "./status.ts";
import { TAXONOMIES_ROUTE, TAXONOMY_ROUTE } from "./taxonomies.ts";
import {
  CHANGE_PASSWORD_ROUTE,
  FAVICON_ROUTE,
  ROBOTS_ROUTE,
  SECURITY_CONTACTS_ROUTE,
} from "./site/well-known.ts";

/** All routes, in the order of the documentation. To add one, write its file and list it here. */
export const ROUTES: readonly Route[] = [
  LOOKUP_ROUTE,
  BATCH_ROUTE,
  SEARCH_ROUTE,
  EXPORT_ROUTE,
  NEARBY_ROUTE,
  INTERPRET_ROUTE,
  CHANGES_ROUTE,
  FILES_ROUTE,
  FILE_ROUTE,
  TAXONOMIES_ROUTE,
  TAXONOMY_ROUTE,
  ...REGISTRY_API_ROUTES,
  MCP_ROUTE,
  MCP_METADATA_ROUTE,
  STATUS_ROUTE,
  HEALTH_ROUTE,
  READINESS_ROUTE,
  OPENAPI_ROUTE,
  DOCS_ROUTE,
  ERROR_DOCS_ROUTE,
  FAVICON_ROUTE,
  ROBOTS_ROUTE,
  SECURITY_CONTACTS_ROUTE,
  CHANGE_PASSWORD_ROUTE,
  ...EXPLORER_ROUTES,
  ...DOWNLOAD_ROUTES,
  CHECK_ROUTE,
  ...PORTAL_ROUTES,
  MAP_TILES_ROUTE,
  AUTH_ROUTE,
  ...ACCOUNT_ROUTES,
  ...KEY_ROUTES,
  AUDIT_LOG_ROUTE,
  USAGE_ROUTE,
  ...BILLING_ROUTES,
];
