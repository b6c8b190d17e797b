import type { Api } from "../../../mcp/api.ts";
import { command, PROGRAM, type Context } from "../../command.ts";
import { untilAborted } from "../../stop-signal.ts";
import { DATA_DIR, MCP_API_KEY, MCP_URL } from "../../settings/settings.ts";

export const mcpCommand = command({
  summary:
    "Let an assistant use the data folder, or with --url a service, by the Model Context Protocol over standard input and output.",
  details: [
    "An assistant's program starts it, and ends it by closing its input. Standard output is for the protocol only; errors are on standard error.",
    "Over the data folder, it needs no service and no key, and takes up what an import makes current. With --url, each call counts for the account of the key in MCP_API_KEY.",
  ],
  options: { url: MCP_URL, apiKey: MCP_API_KEY, dataDir: DATA_DIR },
  async run({ apiKey, dataDir, url }, context) {
    // Loaded here: other commands start without the protocol.
    const { serveOverStdio } = await import("../../../mcp/stdio.ts");
    const onFault = (error: unknown): void =>
      context.err(`${PROGRAM}: ${faultText(error)}`);
    using opened = new DisposableStack();
    const api = await apiOf(url, apiKey, dataDir, context, opened, onFault);
    const conversation = serveOverStdio(api, onFault);
    await Promise.race([conversation.ended, untilAborted(context.stop)]);
    await conversation.close();
  },
});

/** Opens the API of a service, or of a data folder. */
async function apiOf(
  url: string | null,
  key: string | null,
  dataDir: string,
  context: Context,
  opened: DisposableStack,
  onFault: (error: unknown) => void,
): Promise<Api> {
  if (url === null) {
    const { FolderApi } = await import("./folder-api.ts");
    return opened.use(new FolderApi(dataDir, context.now, onFault));
  }
  const { remoteApi } = await import("../../../mcp/remote-api.ts");
  return remoteApi(url, key);
}

function faultText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
