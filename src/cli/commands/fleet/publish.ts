import { NO_OPERANDS, type Command } from "../../command.ts";
import { FORCE, DATA_DIR } from "../../settings/settings.ts";
import {
  PUBLISH_SETTINGS,
  readPublishOptions,
} from "../../settings/fleet-settings.ts";
import { publishCurrent } from "./publish-current.ts";

export const publishCommand: Command = {
  operands: NO_OPERANDS,
  settings: [DATA_DIR, FORCE, ...PUBLISH_SETTINGS],
  summary:
    "Publish the current snapshot to the snapshot store, from which nodes pull it.",
  details: [
    "Uploads the parts of the snapshot and its list of changes that the store lacks. With DATABASE_URL, it then waits until all running nodes have downloaded them, and activates the publication; nodes serve it within seconds. Nodes that take too long are left behind. Without DATABASE_URL, each node serves it within seconds of downloading it.",
    "If the snapshot is already the newest publication, nothing happens. An interrupted publication continues. To go back to an earlier snapshot on all nodes, run snapshots rollback and publish.",
    "An s3: store needs the usual variables: AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_REGION, and AWS_ENDPOINT_URL if it isn't Amazon's. With --force, checks all objects in the store, and uploads damaged ones again.",
  ],
  prepare(reader) {
    const options = readPublishOptions(reader);
    const again = reader.read(FORCE);
    return (context) => publishCurrent(options, again, context);
  },
};
