import * as vscode from "vscode";
import type { App } from "../app";
import { showInformation } from "../editor/notifications";
import { SkillListRequest, SkillSetRequest } from "../methods";
import type { Skill } from "../protocol";
import { exactTokens } from "../text/format";

const NOTHING =
  "There are no skills: folders with a SKILL.md in .agents/skills or .claude/skills, here or in your home.";

/** Lists the skills with their tokens; what is ticked stays on, in all sessions of the folder. */
export function switchSkills(app: App) {
  return async () => {
    const sessionId = app.session.requiredId();
    const { skills } = await app.request(SkillListRequest, { sessionId });
    if (skills.length === 0) {
      void showInformation(NOTHING);
      return;
    }
    const options = { title: "Skills", canPickMany: true, matchOnDescription: true } as const;
    const picked = await vscode.window.showQuickPick(skills.map(itemOf), {
      ...options,
      placeHolder: "Ticked skills stand in the prompt with their description",
    });
    if (picked === undefined) {
      return;
    }
    for (const { name, enabled } of switched(skills, new Set(picked.map(({ name }) => name)))) {
      await app.request(SkillSetRequest, { sessionId, name, enabled });
    }
    app.session.requestReportSoon();
  };
}

/** The skills whose switch shall change, as it shall be. */
export function switched(
  skills: readonly Skill[],
  picked: ReadonlySet<string>,
): { name: string; enabled: boolean }[] {
  return skills
    .filter(({ name, enabled }) => enabled !== picked.has(name))
    .map(({ name, enabled }) => ({ name, enabled: !enabled }));
}

/** What the list says of a skill. */
export function itemOf(skill: Skill) {
  const whose = skill.source === "folder" ? "this folder" : "your own";
  const facts = [
    whose,
    skill.enabled ? `${exactTokens(skill.tokens)} tokens` : "off",
    ...(skill.shortened ? ["description cut"] : []),
    ...(skill.asksForTools ? ["asks for tools, is given none"] : []),
  ];
  return {
    name: skill.name,
    label: skill.name,
    description: facts.join(" · "),
    detail: skill.description,
    picked: skill.enabled,
  };
}
