import type { Task } from "../../protocol";
import { lookup } from "../../text/lookup";
import { foldWhileLow, h, morph } from "../dom";

const SIGNS: Readonly<Record<string, string>> = lookup({
  pending: "○",
  inProgress: "◐",
  completed: "✓",
  cancelled: "⊘",
});

const WORDS: Readonly<Record<string, string>> = lookup({
  pending: "to do",
  inProgress: "in progress",
  completed: "done",
  cancelled: "dropped",
});

/** The agent's task list, above the field; empty, it takes no room. */
export class TaskList {
  readonly element = h("details", { class: "tasks", hidden: true, open: true });

  constructor() {
    foldWhileLow(this.element);
  }

  draw(tasks: readonly Task[]): void {
    this.element.hidden = tasks.length === 0;
    const all = flat(tasks);
    const done = all.filter(({ status }) => status === "completed").length;
    const wanted = h(
      "details",
      { class: "tasks", hidden: tasks.length === 0 },
      h("summary", {}, `Tasks ${done} of ${all.length}`),
      h("ul", {}, ...tasks.map(taskView)),
    );
    morph(this.element, wanted);
  }
}

function flat(tasks: readonly Task[]): Task[] {
  return tasks.flatMap((task) => [task, ...flat(task.children ?? [])]);
}

/** A title as the agent wrote it, with what stands between backticks as code. */
function titleParts(title: string): (string | HTMLElement)[] {
  return title
    .split(/`([^`]+)`/)
    .map((part, index) => (index % 2 === 1 ? h("code", {}, part) : part));
}

function taskView({ title, status, children }: Task): HTMLElement {
  return h(
    "li",
    { "data-status": status },
    h("span", { "aria-hidden": "true" }, `${SIGNS[status] ?? "·"} `),
    h("span", { class: "sr" }, `${WORDS[status] ?? status}: `),
    ...titleParts(title),
    children !== undefined && children.length > 0 && h("ul", {}, ...children.map(taskView)),
  );
}
