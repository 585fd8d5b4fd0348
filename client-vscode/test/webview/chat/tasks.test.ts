// @vitest-environment jsdom
import { expect, it } from "vitest";
import { TaskList } from "../../../src/webview/chat/tasks";

it("shows code in a title as code, and no backticks", () => {
  const list = new TaskList();
  list.draw([{ title: "Run `npm test` in `a` twice", status: "pending" }]);
  const task = list.element.querySelector("li");
  expect(task?.textContent).toBe("○ to do: Run npm test in a twice");
  expect([...(task?.querySelectorAll("code") ?? [])].map((code) => code.textContent)).toEqual([
    "npm test",
    "a",
  ]);
});
