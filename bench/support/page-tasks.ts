/** A task of a page's main thread. Times in milliseconds. */
export interface PageTask {
  readonly wallMs: number;
  /** Less than `wallMs` if the thread waited: for the processor, or for graphics, which are drawn in software here. */
  readonly processorMs: number;
  /** What took most of it: the longest steps, with the script. */
  readonly source: string;
}

/** What Chromium has to record for `pageTasks`. */
export const TRACED = [
  "toplevel",
  "devtools.timeline",
  "disabled-by-default-devtools.timeline",
  "v8",
];

/** The steps of a task that say what the thread did, as Chromium names them. */
const STEPS = new Set([
  // The continuations of promises.
  "BlinkScheduler_PerformMicrotaskCheckpoint",
  "Commit",
  "EvaluateScript",
  "FunctionCall",
  "Layerize",
  "Layout",
  "MajorGC",
  "MinorGC",
  "Paint",
  "ParseHTML",
  "PrePaint",
  "RunMicrotasks",
  "UpdateLayoutTree",
  "v8.compileModule",
  "v8.evaluateModule",
]);
const NAMED_STEPS = 2;

/** An event of Chromium's trace. Times in microseconds. */
interface TraceEvent {
  readonly name: string;
  /** `X` for an event with a duration. */
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  readonly ts: number;
  readonly dur?: number;
  /** The part of `dur` in which the thread had the processor. */
  readonly tdur?: number;
  readonly args: {
    readonly name?: string;
    readonly data?: { readonly url?: string; readonly functionName?: string };
  };
}

/** The tasks of the page's main thread in a trace of Chromium, in order. */
export function pageTasks(trace: Buffer): PageTask[] {
  const { traceEvents: events }: { readonly traceEvents: TraceEvent[] } =
    JSON.parse(trace.toString());
  const threads = events.filter(
    ({ args, name }) =>
      name === "thread_name" && args.name === "CrRendererMain",
  );
  // The browser keeps a spare renderer, which does nothing.
  const [busiest = []] = threads
    .map(({ pid, tid }) =>
      events.filter(
        (event) => event.ph === "X" && event.pid === pid && event.tid === tid,
      ),
    )
    .toSorted((a, b) => b.length - a.length);
  const steps = busiest.filter(({ name }) => STEPS.has(name));
  return busiest
    .filter(({ name }) => name === "RunTask")
    .map((task) => ({
      wallMs: wallMs(task),
      processorMs: (task.tdur ?? 0) / 1e3,
      source: sourceOf(task, steps),
    }));
}

function sourceOf(task: TraceEvent, steps: readonly TraceEvent[]): string {
  const end = task.ts + (task.dur ?? 0);
  const longest = steps
    .filter(({ ts }) => ts >= task.ts && ts < end)
    .toSorted((a, b) => wallMs(b) - wallMs(a))
    .slice(0, NAMED_STEPS);
  return longest.length === 0
    ? "the browser's own work"
    : longest.map(describe).join(", ");
}

function describe(step: TraceEvent): string {
  const { functionName, url } = step.args.data ?? {};
  const file = url?.split("/").at(-1);
  return [step.name, file, functionName, `${wallMs(step).toFixed(0)} ms`]
    .filter((part) => part !== undefined && part !== "")
    .join(" ");
}

function wallMs({ dur = 0 }: TraceEvent): number {
  return dur / 1e3;
}
