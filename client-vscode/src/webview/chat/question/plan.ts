import { h } from "../../dom";

/** The field in which a plan is read, and edited before it is accepted. */
export const PLAN_FIELD = "textarea.plan";

const MOST_ROWS = 16;

/** The very text that will be pinned; what a person makes of it counts. */
export function planView(plan: string): HTMLElement {
  const rows = plan.split("\n").length + 1;
  return h(
    "textarea",
    {
      class: "plan",
      rows: String(Math.min(rows, MOST_ROWS)),
      spellcheck: "false",
      "aria-label": "The plan; edit it before you accept it",
      "data-plan": plan,
    },
    plan,
  );
}

/** What a person made of the plan beside an answer; nothing where they left it as it was. */
export function editedPlan(answer: HTMLElement): { editedPlan?: string } {
  const field = answer.closest(".question")?.querySelector<HTMLTextAreaElement>(PLAN_FIELD);
  const changed = field && field.value !== field.dataset.plan;
  return changed ? { editedPlan: field.value } : {};
}
