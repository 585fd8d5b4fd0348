import * as vscode from "vscode";
import { type LanguageClient, Trace } from "vscode-languageclient/node";

/** The trace logs bodies: it is silent while a key or a password passes. */
export async function withoutTrace<T>(client: LanguageClient, pass: () => Promise<T>): Promise<T> {
  await client.setTrace(Trace.Off);
  try {
    return await pass();
  } finally {
    await client.setTrace(configuredTrace());
  }
}

function configuredTrace(): Trace {
  return Trace.fromString(vscode.workspace.getConfiguration("plimsoll").get("trace.server", "off"));
}
