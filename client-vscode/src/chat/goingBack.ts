import type { App } from "../app";
import { saveRestored } from "../context/goingBack";
import { choose } from "../editor/notifications";
import { SessionCheckpointRequest } from "../methods";
import { plural } from "../text/format";
import { remarksText } from "../text/restored";

const LEAVES = "It comes back into the message field. What came after it leaves the conversation.";
const KEEP = "Go back, keep files";

/**
 * Asks what becomes of the files and goes back to before a prompt; the server says what was done.
 * False: the person has left.
 */
export async function goBackTo(app: App, promptId: string): Promise<boolean> {
  const params = { sessionId: app.session.requiredId(), messageId: promptId };
  const { files, commands } = await app.request(SessionCheckpointRequest, params);
  const due = files.filter(({ action }) => action !== "left").length;
  const restore = `Go back and restore ${plural(due, "file")}`;
  const picked = await choose(
    "Go back to this prompt?",
    [LEAVES, plain(remarksText(files, commands))].join("\n\n"),
    ...(due > 0 ? [restore, KEEP] : [KEEP]),
  );
  if (picked === undefined) {
    return false;
  }
  const done = await app.session.goBackBefore(promptId, picked === restore);
  await saveRestored(done.files ?? []);
  return true;
}

function plain(markdown: string): string {
  return markdown.replaceAll("`", "");
}
