import test from "node:test";
import { GOLDEN_GROUPS, sendGroup } from "../support/app/golden-requests.ts";
import {
  LOCAL_URL,
  startHttpService,
  type HttpService,
} from "../support/app/http-service.ts";
import { portalParts } from "../support/app/portal-parts.ts";
import { REGISTRY_API_DEFAULTS } from "../support/app/service-settings.ts";

/** The services that groups name. */
const SERVICES: Readonly<Record<string, () => Promise<HttpService>>> = {
  plain: startHttpService,
  async "without-data"() {
    const service = await startHttpService();
    service.data.directory = null;
    return service;
  },
  "public-url": () =>
    startHttpService({ publicUrl: "https://directory.example/api" }),
  "open-registry-api": () =>
    startHttpService({
      settings: {
        registryApi: {
          ...REGISTRY_API_DEFAULTS,
          mode: "open",
          burstPerSecond: 1_000,
        },
      },
    }),
  portal: async () =>
    startHttpService({ portal: await portalParts({ explorer: "open" }) }),
  developers: async () =>
    startHttpService({ portal: await portalParts({ guide: "developers" }) }),
};

for (const group of GOLDEN_GROUPS)
  test(group.title, async () => {
    await using service = await SERVICES[group.service]!();
    await sendGroup(group, {
      key: service.paidKey,
      madeId: "test-\\d+",
      async ask(request) {
        service.installation.clock.nowMs += 1_000;
        return { answer: await service.ask(request), localUrl: LOCAL_URL };
      },
    });
  });
