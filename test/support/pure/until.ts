import { setTimeout as sleep } from "node:timers/promises";

/**
 * Waits until something is true; fails if it is not in time. The time is for machines that do much else, and less than
 * a test file may take.
 */
export async function until(
  what: string,
  holds: () => boolean | Promise<boolean>,
  withinMs = 240_000,
): Promise<void> {
  const limit = Date.now() + withinMs;
  while (!(await holds())) {
    if (Date.now() > limit) throw new Error(`Waited in vain for ${what}.`);
    await sleep(25);
  }
}
