import { expect, it } from "vitest";
import { PermissionRequests } from "../../src/session/permissions";
import type { Action } from "../../src/session/reduce";
import { call } from "../values";

const params = {
  sessionId: "s1",
  turnId: "t1",
  toolCall: call(),
  options: [{ optionId: "yes", name: "Allow once", kind: "allowOnce" as const }],
};

function asking() {
  const actions: Action[] = [];
  const questions = new PermissionRequests((action) => actions.push(action));
  let withdraw = () => {};
  const answer = questions.ask(params, {
    onCancellationRequested: (listener) => {
      withdraw = listener;
      return { dispose() {} };
    },
  });
  return { questions, actions, answer, withdraw: () => withdraw() };
}

it("waits for a person and hands the answer on", async () => {
  const { questions, actions, answer } = asking();
  questions.answer("question1", "yes", "fine");
  questions.answer("question1", "no");
  expect(await answer).toEqual({ outcome: "selected", optionId: "yes", reason: "fine" });
  expect(actions.map(({ type }) => type)).toEqual(["permissionRequested", "permissionAnswered"]);
});

it("ends as cancelled when the server withdraws it, or is gone", async () => {
  const withdrawn = asking();
  withdrawn.withdraw();
  expect(await withdrawn.answer).toEqual({ outcome: "cancelled" });
  const gone = asking();
  gone.questions.cancelAll();
  expect(await gone.answer).toEqual({ outcome: "cancelled" });
});

it("is shown again when its session is loaded again, and no other's", async () => {
  const { questions, actions, answer } = asking();
  questions.showAgain("s2");
  questions.showAgain("s1");
  expect(actions.map(({ type }) => type)).toEqual(["permissionRequested", "permissionRequested"]);
  expect(actions[1]).toBe(actions[0]);
  questions.cancelAll();
  await answer;
});

it("keeps the files that were ticked, by whatever way the answer comes", async () => {
  const { questions, actions, answer } = asking();
  questions.chooseFiles("question1", [".envrc"]);
  questions.chooseFiles("question9", ["gone"]);
  questions.showAgain("s1");
  questions.answer("question1", "yes");
  expect(await answer).toEqual({ outcome: "selected", optionId: "yes", keptFiles: [".envrc"] });
  const chosen = { type: "filesChosen", requestId: "question1", keptFiles: [".envrc"] };
  expect(actions.map((action) => (action.type === "filesChosen" ? action : action.type))).toEqual([
    "permissionRequested",
    chosen,
    "permissionRequested",
    chosen,
    "permissionAnswered",
  ]);
});

/** A change of three places that waits. */
function asksForChange() {
  const actions: Action[] = [];
  const questions = new PermissionRequests((action) => actions.push(action));
  const place = { start: { line: 0, character: 0 }, end: { line: 1, character: 0 } };
  const hunks = ["a", "b", "c"].map((newText) => ({ range: place, newText }));
  const options = [
    ...params.options,
    { optionId: "no", name: "Reject", kind: "rejectOnce" as const },
  ];
  const toolCall = call({ detail: { diff: "", hunks } });
  const answer = questions.ask(
    { ...params, toolCall, options },
    { onCancellationRequested: () => ({ dispose() {} }) },
  );
  const rejected = () =>
    actions.flatMap((action) => (action.type === "hunksChosen" ? [action.rejectedHunks] : []));
  return { questions, answer, rejected };
}

it.each([
  [[true, false, true], { outcome: "selected", optionId: "yes", keptHunks: [0, 2] }],
  [[true, true, true], { outcome: "selected", optionId: "yes" }],
  [[false, false, false], { outcome: "selected", optionId: "no", keptHunks: [] }],
])("answers a change once each of its places is chosen (%s)", async (chosen, answered) => {
  const { questions, answer } = asksForChange();
  for (const [number, kept] of chosen.entries()) {
    questions.chooseHunk("question1", number, kept);
  }
  expect(await answer).toEqual(answered);
});

it("makes all that was not left out when a change is allowed before", async () => {
  const { questions, answer, rejected } = asksForChange();
  questions.chooseHunk("question1", 1, false);
  questions.chooseHunk("question1", 0, false);
  questions.chooseHunk("question1", 0, true);
  questions.chooseHunk("question9", 0, true);
  questions.showAgain("s1");
  expect(rejected()).toEqual([1, 2, 1, 1]);
  questions.answer("question1", "yes");
  expect(await answer).toEqual({ outcome: "selected", optionId: "yes", keptHunks: [0, 2] });
});
