import type { App } from "../app";
import type { VirtualDocuments } from "../editor/documents";
import { ContextOutputRequest, ContextResultRequest } from "../methods";
import { toolWords } from "../session/labels/tools";
import type { ToolEntry } from "../session/state";

const LONGEST_NAME = 60;

/**
 * Opens all that a call brought in an editor, of a command that still runs what it has written so far; from
 * an older server, what the chat knows of it.
 */
export async function showOutput(
  app: App,
  documents: VirtualDocuments,
  tool: ToolEntry,
): Promise<void> {
  if (tool.status === "running") {
    const text = `${await outputSoFar(app, tool)}\n${SO_FAR}\n`;
    await documents.showText(`${documentName(tool)} (so far).log`, text);
    return;
  }
  const served = app.serverCapabilities?.methods.includes(ContextResultRequest.method);
  const params = { sessionId: app.session.requiredId(), itemId: tool.itemId ?? "" };
  const { text } =
    served && tool.itemId !== undefined
      ? await app.request(ContextResultRequest, params)
      : { text: tool.output ?? "" };
  await documents.showText(`${documentName(tool)}.log`, text);
}

const SO_FAR = "[So far: the command still runs. The same button has more of it.]";

async function outputSoFar(app: App, tool: ToolEntry): Promise<string> {
  const known = tool.output ?? "";
  if (!app.serverCapabilities?.methods.includes(ContextOutputRequest.method)) {
    return known;
  }
  const params = { sessionId: app.session.requiredId(), toolCallId: tool.id };
  const { text } = await app.request(ContextOutputRequest, params);
  return text.replace(/\n$/, "");
}

/** A name for a tab: what was done to what, without what separates folders. */
function documentName(tool: ToolEntry): string {
  const words = toolWords(tool)
    .join(" ")
    .replaceAll(/[\\/\s]+/g, " ");
  return words.trim().slice(0, LONGEST_NAME);
}
