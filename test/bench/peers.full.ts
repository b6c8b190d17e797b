import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, suite, test } from "node:test";
import {
  askClasses,
  type ClassResult,
} from "../../bench/peers/queries/ask-classes.ts";
import { firstDifference } from "../../bench/peers/compare.ts";
import { openSnapshot } from "../../bench/peers/ours.ts";
import { questionClasses } from "../../bench/peers/queries/question-classes.ts";
import type {
  Answer,
  QuestionClass,
} from "../../bench/peers/queries/question.ts";
import { SYSTEMS } from "../../bench/peers/systems/systems.ts";
import { writeSyntheticRegistry } from "../../src/registry-generator/write-registry.ts";

const PROVIDERS = 5000;
const QUESTIONS = 20;
/** Without PostgreSQL, which needs a separate user if this one is root: only the benchmark runs it. */
const IN_PROCESS = ["ours", "SQLite", "DuckDB"] as const;

suite("the systems that are compared", () => {
  let folder = "";
  let classes: QuestionClass[] = [];
  const answers: { name: string; asked: ClassResult[] }[] = [];

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "peers-test-"));
    const zip = join(folder, "registry.zip");
    await writeSyntheticRegistry({ providers: PROVIDERS, out: zip });
    for (const name of IN_PROCESS) {
      await mkdir(join(folder, name));
      const system = await SYSTEMS[name]();
      await system.load(join(folder, name), zip);
    }
    classes = questionClasses(openSnapshot(join(folder, "ours"))).map(
      ({ title, questions }) => ({
        title,
        questions: questions.slice(0, QUESTIONS),
        warmUp: [],
      }),
    );
    for (const name of IN_PROCESS) {
      const system = await SYSTEMS[name]();
      await using opened = await system.open(join(folder, name));
      answers.push({ name, asked: await askClasses(opened, classes) });
    }
  });
  after(() => rm(folder, { recursive: true }));

  test("answer every class of questions, and agree on each total and page", () => {
    assert.equal(answers.length, IN_PROCESS.length);
    for (const { asked } of answers) {
      for (const { title, answers: given } of asked) {
        assert.ok(given.length > 0, title);
        assert.ok(
          given.some((answer) => (answer?.npis.length ?? 0) > 0),
          title,
        );
      }
    }
    assert.equal(firstDifference(classes, answers), null);
  });

  test("differ if a total, a provider, or the order does, and the difference names the query", () => {
    const [ours] = answers;
    assert.ok(ours !== undefined);
    const at = classes.findIndex(({ title }) => title === "taxonomy");
    const changes: ((answer: Answer) => unknown)[] = [
      (answer) => (answer.total = PROVIDERS + 1),
      (answer) => answer.npis.pop(),
      (answer) => answer.npis.reverse(),
    ];
    for (const change of changes) {
      const asked: ClassResult[] = structuredClone(ours.asked);
      const answer = asked[at]?.answers.find(
        (each) => (each?.npis.length ?? 0) > 1,
      );
      assert.ok(answer !== null && answer !== undefined);
      change(answer);
      const difference = firstDifference(classes, [ours, { name: "B", asked }]);
      assert.match(difference ?? "", /^taxonomy: \{"kind":"taxonomy"/);
    }
  });
});
