import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:net";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { ProgramProcess } from "./support/program/program.ts";
import { temporaryFolder } from "./support/pure/temporary-folder.ts";
import { until } from "./support/pure/until.ts";
import { freePort } from "./support/pure/free-port.ts";

const DEV = fileURLToPath(new URL("../tools/dev.ts", import.meta.url));

test("npm run dev serves pages, their modules, and the API on one origin, and ends both", async () => {
  using folder = temporaryFolder();
  const [port, servicePort] = [await freePort(), await freePort()];
  await using program = new ProgramProcess(
    [DEV],
    {
      DATA_DIR: folder.path,
      PORT: String(port),
      SERVICE_PORT: String(servicePort),
      PROVIDERS: "100",
      WORKERS: "1",
    },
    process.execPath,
  );
  const [, url = ""] = await program.printed(/Development server: (\S+)/);
  const [, key = ""] = await program.printed(/(pd_live_\w{36})/);
  const ask = (path: string) =>
    fetch(`${url}${path}`, { headers: { authorization: `Bearer ${key}` } });
  await until("the service to answer", async () => (await ask("/readyz")).ok);
  const page = await (await ask("/settings/usage")).text();
  assert.match(page, /src="\/dev\/@vite\/client"/);
  const [, main = ""] = /src="(\/dev\/main\.tsx[^"]*)"/.exec(page) ?? [];
  assert.equal((await ask(main)).status, 200);
  const found = await ask("/v1/providers/search?limit=1");
  const { data } = JSON.parse(await found.text());
  assert.equal((await ask(`/v1/providers/${data[0].npi}`)).status, 200);
  program.kill("SIGINT");
  assert.equal((await program.ended()).code, 0);
  await assert.rejects(fetch(`http://127.0.0.1:${servicePort}/readyz`));
});

test("npm run dev refuses ports that it cannot use with a sentence, and starts nothing", async () => {
  const taken = await freePort();
  const other = createServer().listen(taken, "127.0.0.1");
  await once(other, "listening");
  for (const [ports, code, said] of [
    [{ PORT: "eighty" }, 2, /PORT must be a whole number .* not "eighty"\./],
    [{ PORT: "65535" }, 2, /SERVICE_PORT must be .* not "65536"\./],
    [{ PORT: "8080", SERVICE_PORT: "8080" }, 2, /are the same\./],
    [{ PORT: String(taken) }, 1, /Stop the program that uses it, or set PORT/],
  ] as const) {
    await using program = new ProgramProcess([DEV], ports, process.execPath);
    const ended = await program.ended();
    assert.deepEqual([ended.code, ended.out], [code, ""]);
    assert.match(ended.err, said);
    assert.equal(ended.err.trimEnd().split("\n").length, 1, ended.err);
  }
  other.close();
});
