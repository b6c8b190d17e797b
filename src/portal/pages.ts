import { lazy, type ComponentType } from "react";
import type { PageName } from "../site/page-paths.ts";

/** The page of each path, loaded when it is first shown. The named parts of its path are its props. */
export const PAGES: Readonly<
  Record<PageName, ComponentType<Readonly<Record<string, string>>>>
> = {
  explorer: lazy(() => import("./pages/explorer.tsx")),
  provider: lazy(() => import("./pages/provider.tsx")),
  "sign-in": lazy(() => import("./pages/sign-in.tsx")),
  "sign-up": lazy(() => import("./pages/sign-up.tsx")),
  "forgot-password": lazy(() => import("./pages/forgot-password.tsx")),
  "reset-password": lazy(() => import("./pages/reset-password.tsx")),
  "email-confirmed": lazy(() => import("./pages/email-confirmed.tsx")),
  settings: lazy(() => import("./pages/settings.tsx")),
  usage: lazy(() => import("./pages/usage.tsx")),
  plan: lazy(() => import("./pages/plan.tsx")),
  security: lazy(() => import("./pages/security.tsx")),
  guide: lazy(() => import("./pages/guide.tsx")),
  "guide-page": lazy(() => import("./pages/guide.tsx")),
  reference: lazy(() => import("./pages/reference.tsx")),
};
