import { agentText } from "../../session/labels/tools";
import type { ChatState, ToolEntry } from "../../session/state";
import { h, morph } from "../dom";
import { revealHidden } from "../hiddenCharacters";

/** Below a call: which agent works for it or wants it, what that does and took, and its session. */
export function agentLine(tool: ToolEntry): HTMLElement[] {
  return tool.call.agent
    ? [
        h(
          "span",
          { class: "agent-line" },
          h("span", { class: "agent-doing" }, ...revealHidden(agentText(tool))),
          ...agentLink(tool),
        ),
      ]
    : [];
}

/** Opens the session of the agent that a call belongs to. */
export function agentLink({ call }: ToolEntry): HTMLElement[] {
  return call.agent ? [sessionLink(call.agent.sessionId, "Open session")] : [];
}

function sessionLink(sessionId: string, text: string): HTMLElement {
  const attributes = { "data-action": "openSession", "data-session": sessionId };
  return h("button", { type: "button", class: "link", ...attributes }, text);
}

/** Above the session of a subagent: what it is, and the way back to the one that has called it. */
export class CallerLine {
  readonly element = h("div", { class: "caller", hidden: true });

  draw({ session }: ChatState): void {
    const { agent, parentId } = session ?? {};
    const wanted =
      agent === undefined || parentId === undefined
        ? h("div", { class: "caller", hidden: true })
        : h(
            "div",
            { class: "caller" },
            h(
              "span",
              { class: "agent-doing" },
              ...revealHidden(`Session of ${article(agent)} agent`),
            ),
            sessionLink(parentId, "Back to caller"),
          );
    morph(this.element, wanted);
  }
}

function article(kind: string): string {
  return /^[aeiou]/.test(kind) ? `an ${kind}` : `a ${kind}`;
}
