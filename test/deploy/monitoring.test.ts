/** The alert rules and the dashboard that come with the program, against its metrics and by Prometheus's own linter. */

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { suite, test } from "node:test";
import { createGateMemory } from "../../src/accounts/metering/gate-memory.ts";
import { fullName } from "../../src/server/metrics/metrics-text.ts";
import { createAnswerMemory } from "../../src/server/metrics/request-metrics.ts";
import { serviceMetrics } from "../../src/server/metrics/service-metrics.ts";
import { temporaryFolder } from "../support/pure/temporary-folder.ts";
import { missingProgram } from "../support/postgresql/debian-package.ts";

const PROMTOOL = "/usr/bin/promtool";
const NO_PROMTOOL = missingProgram(PROMTOOL, "prometheus");

const RULES = new URL("../../deploy/prometheus-alerts.yaml", import.meta.url);
const DASHBOARD = new URL(
  "../../deploy/grafana-dashboard.json",
  import.meta.url,
);

interface Panel {
  readonly id: number;
  readonly title: string;
  readonly type: string;
  readonly gridPos: { readonly y: number; readonly x: number };
  readonly targets?: readonly { readonly expr: string }[];
}

const rules = readFileSync(RULES, "utf8");
const dashboard: { readonly panels: readonly Panel[] } = JSON.parse(
  readFileSync(DASHBOARD, "utf8"),
);
const queries = dashboard.panels.flatMap(({ targets = [] }) =>
  targets.map(({ expr }) => expr),
);

/** The names of all metrics, of a service over PostgreSQL that follows publications. */
function metricNames(): Set<string> {
  const metrics = serviceMetrics({
    version: "0",
    node: "a",
    nowMs: 0,
    workers: 1,
    workersReplaced: 0,
    answers: [createAnswerMemory()],
    gate: createGateMemory(),
    flush: {
      unwritten: 0,
      written: 0,
      failures: 0,
      failingSinceMs: null,
      inStepMs: null,
    },
    quota: {
      left: 0,
      counts: { prepaid: 0, givenBack: 0, forgotten: 0, statements: 0 },
    },
    liveNodes: 1,
    graceMs: 0,
    unready: null,
    watch: { opened: null, isFallback: false, swaps: 0, faults: 0 },
    behindMs: 0,
    update: null,
    logLinesLost: 0,
  });
  return new Set(
    metrics.flatMap((metric) =>
      metric.type === "histogram"
        ? ["_bucket", "_sum", "_count"].map(
            (suffix) => `${fullName(metric)}${suffix}`,
          )
        : fullName(metric),
    ),
  );
}

/** The names of metrics in a text. */
function namesIn(text: string): string[] {
  return text.match(/\b(provider_directory|process)_[a-z_]+\b/g) ?? [];
}

/** Runs promtool in a folder of rules; its standard error if it fails. */
function promtool(args: readonly string[], cwd: string): string | null {
  const { status, stderr, stdout } = spawnSync(PROMTOOL, args, {
    cwd,
    encoding: "utf8",
  });
  return status === 0 ? null : `${stdout}${stderr}`;
}

test("alerts and dashboard name only metrics that the service has, and the dashboard nearly all", () => {
  const names = metricNames();
  const used = new Set([...namesIn(rules), ...queries.flatMap(namesIn)]);
  assert.deepEqual(
    [...used].filter((name) => !names.has(name)),
    [],
  );
  assert.ok(used.size > 25, String(used.size));
});

test("each panel of the dashboard has its own id and place", () => {
  const { panels } = dashboard;
  assert.equal(new Set(panels.map(({ id }) => id)).size, panels.length);
  const places = panels.map(({ gridPos: { x, y } }) => `${x} ${y}`);
  assert.equal(new Set(places).size, panels.length);
  for (const { targets, title, type } of panels)
    assert.equal(targets === undefined, type === "row", title);
});

suite("Prometheus", { skip: NO_PROMTOOL }, () => {
  test("accepts the alert rules and the dashboard's queries", () => {
    using folder = temporaryFolder();
    writeFileSync(join(folder.path, "alerts.yaml"), rules);
    // As Grafana sends them.
    const sent = queries.map((query) =>
      query
        .replaceAll("$__rate_interval", "1m")
        .replaceAll("$job", "provider-directory")
        .replaceAll("$instance", ".*"),
    );
    const recorded = {
      groups: [
        {
          name: "dashboard",
          rules: sent.map((expr, index) => ({
            record: `query_${index}`,
            expr,
          })),
        },
      ],
    };
    writeFileSync(
      join(folder.path, "dashboard.yaml"),
      JSON.stringify(recorded),
    );
    const checked = ["check", "rules", "alerts.yaml", "dashboard.yaml"];
    assert.equal(promtool(checked, folder.path), null);
  });

  test("alerts when a node stays unready or away from its data, and not while it restarts", () => {
    using folder = temporaryFolder();
    writeFileSync(join(folder.path, "alerts.yaml"), rules);
    const node = 'instance="a",job="provider-directory"';
    const series = (name: string, values: string, labels = "") => ({
      series: `provider_directory_${name}{${node}${labels}}`,
      values,
    });
    const tests = {
      rule_files: ["alerts.yaml"],
      evaluation_interval: "1m",
      tests: [
        {
          interval: "1m",
          input_series: [
            series("unready", "1x20", ',reason="snapshot_behind"'),
            series("unready", "1x20", ',reason="shutting_down"'),
            series("accounts_database_away_seconds", "0 30 90 150 0x20"),
            series("publication_behind_seconds", "0+60x20"),
            series("snapshot_is_fallback", "0x20"),
          ],
          alert_rule_test: [
            alert("NodeUnready", "4m"),
            alert("NodeUnready", "6m", "a gets no requests: snapshot_behind.", {
              reason: "snapshot_behind",
            }),
            alert("DatabaseAway", "1m"),
            alert(
              "DatabaseAway",
              "2m",
              "a has been unable to write to the accounts database for 1m 30s.",
            ),
            alert("DatabaseAway", "5m"),
            alert("PublicationBehind", "15m"),
            alert(
              "PublicationBehind",
              "16m",
              "a has not served the newest publication for 16m 0s.",
            ),
            alert("SnapshotDamaged", "16m"),
          ],
        },
      ],
    };
    writeFileSync(join(folder.path, "tests.yaml"), JSON.stringify(tests));
    assert.equal(promtool(["test", "rules", "tests.yaml"], folder.path), null);
  });
});

/** Expects an alert with a sentence at a time, or none. */
function alert(
  name: string,
  time: string,
  summary: string | null = null,
  labels: Readonly<Record<string, string>> = {},
) {
  const common = {
    severity: "warning",
    instance: "a",
    job: "provider-directory",
  };
  return {
    alertname: `ProviderDirectory${name}`,
    eval_time: time,
    exp_alerts:
      summary === null
        ? []
        : [
            {
              exp_labels: { ...common, ...labels },
              exp_annotations: { summary },
            },
          ],
  };
}
