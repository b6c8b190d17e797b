import type { Follower, FollowerOptions } from "../fleet/follower.ts";
import type { StorePlace } from "../settings/service-settings.ts";
import type { ExpectedSnapshots } from "./expected-snapshots.ts";
import type { Heartbeat } from "./heartbeat.ts";
import type { SnapshotWatch } from "./snapshot-watch.ts";

export interface FollowOptions extends Pick<
  FollowerOptions,
  "clock" | "logger" | "store"
> {
  readonly place: StorePlace;
  readonly watch: Pick<SnapshotWatch, "isDamaged" | "opened">;
  /**
   * Takes what this node reports; `learn` passes on what it returns. Null without PostgreSQL, where a file of the
   * snapshot store says what is published.
   */
  readonly heartbeat: Heartbeat | null;
  /** Takes what is published. */
  readonly expected: Pick<ExpectedSnapshots, "published">;
}

/** Pulls and serves what is published to a snapshot store, until `owned` is disposed of. Loads the code for it. */
export async function followPublications(
  { expected, heartbeat, place, watch, ...options }: FollowOptions,
  owned: AsyncDisposableStack,
): Promise<Follower> {
  const [{ Follower }, { openStore }, { pollPublication }] = await Promise.all([
    import("../fleet/follower.ts"),
    import("../fleet/objects/open-store.ts"),
    import("../fleet/poll-publication.ts"),
  ]);
  const objects = owned.use(await openStore(place));
  options.logger.info({ store: objects.name }, "following publications");
  const follower = owned.use(
    new Follower({
      ...options,
      objects,
      served: () => watch.opened?.id ?? null,
      isDamaged: (id) => watch.isDamaged(id),
      onReport(report) {
        if (heartbeat !== null) heartbeat.report = report;
      },
      onExpected(snapshots) {
        expected.published = snapshots;
      },
    }),
  );
  if (heartbeat === null)
    owned.use(
      pollPublication({
        objects,
        onKnown: (active) => follower.learnFromStore(active),
        onFault: (error) => follower.learnFailed(error),
      }),
    );
  else follower.learn(heartbeat.fleet.publications);
  return follower;
}
