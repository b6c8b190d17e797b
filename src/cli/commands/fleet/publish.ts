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
    "Uploads what the store lacks of the snapshot and its list of changes. With DATABASE_URL, it then waits until all running nodes have downloaded it and activates it: nodes serve it within seconds. Nodes that are not ready in time are left behind. Without DATABASE_URL, nodes that read the store follow within seconds of their download.",
    "If it is the newest publication already, nothing happens. An interrupted publication is continued. To go back to an earlier snapshot on all nodes, run snapshots rollback and publish.",
    "An s3: store needs the usual variables: AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_REGION, and for other services than Amazon's AWS_ENDPOINT_URL. With --force, all objects in the store are checked, and damaged ones are uploaded again.",
  ],
  prepare(reader) {
    const options = readPublishOptions(reader);
    const again = reader.read(FORCE);
    return (context) => publishCurrent(options, again, context);
  },
};
