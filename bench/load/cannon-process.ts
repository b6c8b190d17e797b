/** The client of a benchmark as a process: autocannon, with latencies by kind of request. See `cannon.ts`. */
import { once } from "node:events";
import { createHistogram, type RecordableHistogram } from "node:perf_hooks";
import autocannon from "autocannon";
import type { Latencies, Order, Shot, Volley } from "./cannon.ts";
import { QUERY_KINDS } from "./questions.ts";

/** About this many requests are ready on all connections together; some on each. */
const READY_REQUESTS = 40_000;
const MIN_READY_REQUESTS = 40;
/** One answer in this many is compared: for autocannon, an answer whose body it hands out costs as much as six. */
const COMPARE_EVERY = 50;
/** Steps of the golden ratio spread evenly over any length. */
const GOLDEN = 0.618_033_988_75;

const [order]: Order[] = await once(process, "message");
if (order === undefined) throw new Error("No order was given.");
const volley = await fire(order);
process.send?.(volley, () => process.disconnect?.());

async function fire(given: Order): Promise<Volley> {
  const { connections, key, keys = [key], seconds, shots, url } = given;
  const histograms = new Map(
    QUERY_KINDS.map((kind) => [kind, createHistogram()]),
  );
  const wrong = new Set<string>();
  const ready = Math.min(
    shots.length,
    Math.max(MIN_READY_REQUESTS, Math.floor(READY_REQUESTS / connections)),
  );
  let compared = 0;
  let begun = 0;
  const result = await autocannon({
    url,
    connections,
    duration: seconds,
    setupClient(connection) {
      // Each connection starts at another request, so they don't all send the same one at once.
      const from = Math.floor(((begun++ * GOLDEN) % 1) * shots.length);
      const own = Array.from(
        { length: ready },
        (_, turn) => shots[(from + turn) % shots.length]!,
      );
      connection.setRequests(
        own.map((shot, turn) => ({
          ...(turn % COMPARE_EVERY === 0
            ? comparing(shot)
            : { path: shot.path }),
          headers: {
            authorization: `Bearer ${keys[(from + turn) % keys.length]}`,
          },
        })),
      );
      let answered = 0;
      connection.on("response", (_status, _bytes, milliseconds) => {
        const { kind } = own[answered++ % ready]!;
        histograms
          .get(kind)
          ?.record(Math.max(1, Math.round(milliseconds * 1e3)));
      });
    },
  });
  const faults = [
    result.errors > 0 ? [`${result.errors} requests got no answer`] : [],
    result.non2xx > 0 ? [`${result.non2xx} answers were not 200`] : [],
    [...wrong].map((path) => `another answer than before to ${path}`),
  ];
  const recorded = [...histograms].filter(([, { count }]) => count > 0);
  return {
    seconds: result.duration,
    answers: result["2xx"],
    compared,
    faults: faults.flat(),
    latencies: Object.fromEntries(
      recorded.map(([kind, histogram]) => [kind, summary(histogram)]),
    ),
  };

  function comparing({ expected, path }: Shot): autocannon.Request {
    return {
      path,
      onResponse(_status, body) {
        compared++;
        if (body !== expected) wrong.add(path);
      },
    };
  }
}

/** A histogram of microseconds in milliseconds. */
function summary(histogram: RecordableHistogram): Latencies {
  return {
    count: histogram.count,
    p50: histogram.percentile(50) / 1e3,
    p99: histogram.percentile(99) / 1e3,
    p999: histogram.percentile(99.9) / 1e3,
    max: histogram.max / 1e3,
  };
}
