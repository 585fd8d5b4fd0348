import { h } from "../../dom";

/** The field in which a plan is read, and edited before it is accepted. */
export const PLAN_FIELD = "textarea.plan";

const MOST_ROWS = 16;

export const PLAN = "The plan; edit it before you accept it";
export const FORM = "The answer; write behind the colons";

/** The very text that counts, as a person makes it: a plan that is pinned, a form that is sent. */
export function planView(plan: string, label: string): HTMLElement {
  const rows = plan.split("\n").length + 1;
  return h(
    "textarea",
    {
      class: "plan",
      rows: String(Math.min(rows, MOST_ROWS)),
      spellcheck: "false",
      "aria-label": label,
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
