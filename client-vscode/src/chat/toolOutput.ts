import type { App } from "../app";
import type { VirtualDocuments } from "../editor/documents";
import { ContextResultRequest } from "../methods";
import { toolWords } from "../session/labels";
import type { ToolEntry } from "../session/state";

const LONGEST_NAME = 60;

/** Opens all that a call brought in an editor; from an older server, what the chat knows of it. */
export async function showOutput(
  app: App,
  documents: VirtualDocuments,
  tool: ToolEntry,
): Promise<void> {
  const served = app.serverCapabilities?.methods.includes(ContextResultRequest.method);
  const params = { sessionId: app.session.requiredId(), itemId: tool.itemId ?? "" };
  const { text } =
    served && tool.itemId !== undefined
      ? await app.request(ContextResultRequest, params)
      : { text: tool.output ?? "" };
  await documents.showText(`${documentName(tool)}.log`, text);
}

/** A name for a tab: what was done to what, without what separates folders. */
function documentName(tool: ToolEntry): string {
  const words = toolWords(tool)
    .join(" ")
    .replaceAll(/[\\/\s]+/g, " ");
  return words.trim().slice(0, LONGEST_NAME);
}
