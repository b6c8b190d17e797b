import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { suite, test } from "node:test";
import { fileURLToPath } from "node:url";
import { Deployment } from "kubernetes-models/apps/v1";
import { HorizontalPodAutoscaler } from "kubernetes-models/autoscaling/v2";
import { CronJob } from "kubernetes-models/batch/v1";
import { NetworkPolicy } from "kubernetes-models/networking.k8s.io/v1";
import { PodDisruptionBudget } from "kubernetes-models/policy/v1";
import {
  ConfigMap,
  Namespace,
  PersistentVolumeClaim,
  Secret,
  Service,
} from "kubernetes-models/v1";
import { parse, parseAllDocuments } from "yaml";
import type { Json } from "../../src/http/openapi/openapi-failures.ts";
import { unknownVariables } from "../support/program/known-variables.ts";
import {
  listAt,
  objectAt,
  objectsIn,
  textAt,
} from "../support/pure/json-at.ts";
import { temporaryFolder } from "../support/pure/temporary-folder.ts";

const PROJECT = fileURLToPath(new URL("../..", import.meta.url));
const FOLDER = join(PROJECT, "deploy/kubernetes");
const KUSTOMIZATION = "kustomization.yaml";
const FILES = readdirSync(FOLDER).filter((name) => name !== KUSTOMIZATION);

/** The models of Kubernetes' schemas, by `apiVersion` and `kind`. */
const MODELS = new Map(
  [
    ConfigMap,
    CronJob,
    Deployment,
    HorizontalPodAutoscaler,
    Namespace,
    NetworkPolicy,
    PersistentVolumeClaim,
    PodDisruptionBudget,
    Secret,
    Service,
  ].map((model) => [`${model.apiVersion} ${model.kind}`, model]),
);

const MANIFESTS: readonly Json[] = FILES.flatMap((name) =>
  parseAllDocuments(readFileSync(join(FOLDER, name), "utf8")).map(
    (document): Json => {
      assert.deepEqual(document.errors, [], name);
      return document.toJS();
    },
  ),
);

function manifest(kind: string): Json {
  const found = MANIFESTS.find((each) => textAt(each, "kind") === kind);
  assert.ok(found !== undefined, kind);
  return found;
}

/** The pods' only container. */
function container(pods: Json): Json {
  const [found = null, ...others] = listAt(pods, "spec", "containers");
  assert.deepEqual(others, []);
  return found;
}

const NODE_PODS = objectAt(manifest("Deployment"), "spec", "template");
const IMPORTER_PODS = objectAt(
  manifest("CronJob"),
  "spec",
  "jobTemplate",
  "spec",
  "template",
);

suite("deploy/kubernetes", () => {
  test("every manifest is valid by Kubernetes' schemas", () => {
    assert.ok(MANIFESTS.length > 10);
    for (const each of MANIFESTS) {
      const kind = `${textAt(each, "apiVersion")} ${textAt(each, "kind")}`;
      const Model = MODELS.get(kind);
      assert.ok(Model !== undefined, kind);
      Reflect.construct(Model, [each]).validate();
      assert.throws(
        () => Reflect.construct(Model, [{ metadata: 1 }]).validate(),
        /metadata/,
      );
    }
  });

  // The schemas allow members that they do not know, such as misspelled ones; their types don't.
  test("no manifest has a member that Kubernetes does not know", () => {
    using folder = temporaryFolder();
    const packages = join(PROJECT, "node_modules");
    symlinkSync(packages, join(folder.path, "node_modules"));
    writeFileSync(join(folder.path, "package.json"), '{"type":"module"}');
    const check = (manifests: readonly Json[]): string => {
      const lines = manifests.map((each, index) => {
        const kind = textAt(each, "kind");
        const group = textAt(each, "apiVersion");
        return `import type { I${kind} as Kind${index} } from "kubernetes-models/${group}";\nexport const manifest${index}: Kind${index} = ${JSON.stringify(each)};\n`;
      });
      const file = join(folder.path, "manifests.ts");
      writeFileSync(file, lines.join(""));
      const options =
        "--ignoreConfig --noEmit --strict --skipLibCheck --module nodenext";
      const { stdout } = spawnSync(
        join(packages, ".bin/tsc"),
        [...options.split(" "), file],
        { encoding: "utf8" },
      );
      return stdout;
    };
    assert.equal(check(MANIFESTS), "");
    const misspelled: Json[] = JSON.parse(
      JSON.stringify(MANIFESTS).replace('"periodSeconds"', '"periodSecond"'),
    );
    assert.match(check(misspelled), /periodSecond\W+ does not exist/);
  });

  test("the kustomization has every file but the example of a secret", () => {
    const kustomization: Json = parse(
      readFileSync(join(FOLDER, KUSTOMIZATION), "utf8"),
    );
    assert.deepEqual(
      new Set(listAt(kustomization, "resources")),
      new Set(FILES.filter((name) => name !== "secret.example.yaml")),
    );
  });

  test("the example of a secret has no secret", () => {
    const secret = manifest("Secret");
    for (const name of Object.keys(objectAt(secret, "stringData")))
      assert.match(textAt(secret, "stringData", name), /^$|:PASSWORD@/);
  });

  test("variables of pods are settings of the program", () => {
    const names = [
      ...Object.keys(objectAt(manifest("ConfigMap"), "data")),
      ...Object.keys(objectAt(manifest("Secret"), "stringData")),
      ...[NODE_PODS, IMPORTER_PODS].flatMap((pods) =>
        listAt(container(pods), "env").map((each) => textAt(each, "name")),
      ),
    ];
    assert.deepEqual(unknownVariables(names), []);
  });

  test("what refers to pods, ports, volumes and settings finds them", () => {
    const labels = [NODE_PODS, IMPORTER_PODS].map((pods) =>
      textAt(pods, "metadata", "labels", "app.kubernetes.io/name"),
    );
    const selected = [...objectsIn([...MANIFESTS])].flatMap(({ matchLabels }) =>
      Object.entries(matchLabels ?? {})
        .filter(([label]) => label === "app.kubernetes.io/name")
        .map(([, name]) => name),
    );
    assert.deepEqual(new Set(selected), new Set(labels));
    const ports = new Set(
      listAt(container(NODE_PODS), "ports").map((port) => textAt(port, "name")),
    );
    for (const { httpGet } of objectsIn(NODE_PODS))
      if (httpGet !== undefined) assert.ok(ports.has(textAt(httpGet, "port")));
    for (const port of listAt(manifest("Service"), "spec", "ports"))
      assert.ok(ports.has(textAt(port, "targetPort")));
    for (const pods of [NODE_PODS, IMPORTER_PODS])
      assert.deepEqual(
        listAt(pods, "spec", "volumes").map((volume) => textAt(volume, "name")),
        listAt(container(pods), "volumeMounts").map((mount) =>
          textAt(mount, "name"),
        ),
      );
  });

  test("pods get longer to end than they drain", () => {
    const { terminationGracePeriodSeconds } = objectAt(NODE_PODS, "spec");
    const drain = listAt(container(NODE_PODS), "env").find(
      (each) => textAt(each, "name") === "DRAIN_DELAY",
    );
    assert.ok(drain !== undefined);
    assert.ok(
      Number(terminationGracePeriodSeconds) >
        Number(textAt(drain, "value")) + 10,
    );
  });
});
