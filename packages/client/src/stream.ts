import type { Read } from "./transport.ts";
import type { Watch } from "./watch.ts";

/** Watches the bytes of a stream go by. */
export interface Meter {
  take(bytes: Uint8Array): void;
  /** Throws if what went by is not all of it. */
  finish(): void;
}

/** Makes a reader that gives the body as a stream, which fails if it is cut. */
export function streaming(
  meterOf: (response: Response) => Meter,
): Read<ReadableStream<Uint8Array>> {
  return (response, watch) => {
    const meter = meterOf(response);
    watch.rest();
    return metered(
      (response.body ?? new Blob([]).stream()).getReader(),
      meter,
      watch,
    );
  };
}

function metered(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  meter: Meter,
  watch: Watch,
): ReadableStream<Uint8Array> {
  return new ReadableStream(
    {
      async pull(controller) {
        watch.start();
        try {
          const { done, value } = await reader.read();
          watch.rest();
          if (done) {
            watch.end();
            meter.finish();
            controller.close();
          } else {
            meter.take(value);
            controller.enqueue(value);
          }
        } catch (error) {
          watch.end();
          throw watch.explain(error);
        }
      },
      async cancel(reason) {
        await reader.cancel(reason).catch(() => undefined);
        watch.cancel();
      },
    },
    { highWaterMark: 0 },
  );
}
