/**
 * Loaded into every thread of a compared program (`--import`): the clock is stopped at `FIXED_TIME`, random UUIDs are
 * all the same, and with `FIXED_RANDOM` random bytes are the same in each start. Node's timers and monotonic clock go
 * on.
 */
import crypto, { createHash } from "node:crypto";
import { syncBuiltinESMExports } from "node:module";

const NOW = Number(process.env["FIXED_TIME"]);

globalThis.Date = new Proxy(Date, {
  construct: (target, values: unknown[], newTarget) =>
    Reflect.construct(target, values.length === 0 ? [NOW] : values, newTarget),
  get: (target, name, receiver) =>
    name === "now" ? () => NOW : Reflect.get(target, name, receiver),
});
crypto.randomUUID = () => "00000000-0000-4000-8000-000000000000";
if (process.env["FIXED_RANDOM"] !== undefined) {
  let calls = 0;
  const randomBytes = (size: number) =>
    createHash("shake256", { outputLength: size })
      .update(String(calls++))
      .digest();
  Object.assign(crypto, { randomBytes });
}
syncBuiltinESMExports();
