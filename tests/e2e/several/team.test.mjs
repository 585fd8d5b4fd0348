// Two people with a VS Code each and a team's real PostgreSQL: what one shares, the other accepts, and what is forgotten is gone.
import assert from "node:assert/strict";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { startEngine } from "../parts/engine.mjs";
import { memoryView } from "../parts/memories.mjs";
import { startModel, words } from "../parts/model.mjs";
import { leaveOut, say, withEditor } from "../rig.mjs";

const PROJECT = "harbour";
/** A part of the memory that the agent does not say: where it stands, the memory itself stands. */
const MARK = "HX-7731";
const FACT = `Always deploy from the branch release, never from main (${MARK}).`;

/** The agent: it says of a memory who shared it, and what it knows of it. */
function quoting(messages) {
  const text = JSON.stringify(messages);
  const [, author] = /by (\w+) \(a colleague\)/.exec(text) ?? [];
  const answer = text.includes(MARK)
    ? `From the branch release, says ${author}.`
    : "I do not know of a branch.";
  return words(answer);
}

/** A person: a home, a workspace and an agent of their own. */
async function person(folder, name) {
  const home = path.join(folder, name);
  const workspace = path.join(home, PROJECT);
  await mkdir(workspace, { recursive: true });
  const requests = [];
  const model = await startModel({
    answer(messages) {
      requests.push(JSON.stringify(messages));
      return quoting(messages);
    },
  });
  const env = {
    XDG_DATA_HOME: path.join(home, "data"),
    PLIMSOLL_MODEL__PROVIDER: "openai",
    PLIMSOLL_MODEL__NAME: "instant",
    PLIMSOLL_MODEL__BASE_URL: model.address,
    PLIMSOLL_MODEL__CONTEXT_WINDOW: "32000",
  };
  return { name, home, workspace, requests, env, stop: model.stop };
}

function hands(page, editor, engine, name) {
  const view = memoryView(page);
  const chat = () => editor.webview(0);
  return {
    ...view,
    async open() {
      await editor.openView("Plimsoll");
      await chat()
        .getByPlaceholder(/^(Ask|Add)/)
        .waitFor();
      await view.openTree();
      await view.tree.getByText("Nothing is remembered of this folder yet.").waitFor();
    },
    async takePart(way, ...answers) {
      await editor.runCommand("Plimsoll: Share with a Team…");
      await editor.pick(way);
      for (const [prompt, answer] of answers) await editor.answerInput(prompt, answer);
      await editor.answerInput(/A PostgreSQL of your team/, engine.url(name));
    },
    async givePassword() {
      await editor.answerInput(/Kept in the editor's secret store/, engine.password);
      await editor.toast(new RegExp(`takes part in “${PROJECT}”`)).waitFor();
    },
    /** A session's start is when a window looks for news at once. */
    begin: () => editor.runCommand("Plimsoll: New Session"),
    async ask(text, answer) {
      await say(chat(), text);
      await chat().locator("[data-kind=answer]").last().getByText(answer).waitFor();
      await chat().getByRole("button", { name: "Send" }).waitFor();
    },
  };
}

/** What a file holds: none where it went after it was listed, as a temporary one does. */
const readIfThere = (file) =>
  readFile(file).catch((failure) => {
    if (failure.code === "ENOENT") return Buffer.alloc(0);
    throw failure;
  });

/** The files below a folder that hold a text. */
async function filesWith(folder, text) {
  const all = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = all
    .filter((each) => each.isFile())
    .map((each) => path.join(each.parentPath, each.name));
  const texts = await Promise.all(files.map(readIfThere));
  return files.filter((_, index) => texts[index].includes(text));
}

async function annaShares(page, editor, { engine, bert, anna }) {
  const own = hands(page, editor, engine, "anna");
  await own.open();
  await editor.runCommand("Plimsoll: Remember…");
  await editor.answerInput(/kept for later sessions/, FACT);
  await editor.pick("Project knowledge");
  await editor.answerInput(/What is it about/, "Deploys");
  await own.row("Deploys").waitFor();
  await own.takePart("Make a project…", [/Colleagues join it by this name/, PROJECT]);
  await editor.pick("Suggest it to colleagues");
  await own.givePassword();
  await engine.addMember(PROJECT, "bert");
  await cp(path.join(anna.workspace, ".plimsoll"), path.join(bert.workspace, ".plimsoll"), {
    recursive: true,
  });
  await own.act("Deploys", "Share Memory…");
  await editor.pick(`Everyone in “${PROJECT}”`);
  await own.row("Deploys").getByText("team").waitFor();
  return own;
}

async function bertAccepts(page, editor, { engine }) {
  const own = hands(page, editor, engine, "bert");
  await own.open();
  await own.takePart(`Join “${PROJECT}”`);
  await own.givePassword();
  await own.row("Deploys").getByText("shared by anna").waitFor();
  await editor.screenshot("team-inbox");
  await own.act("Deploys", "Accept");
  await own.row("Inbox").waitFor({ state: "detached" });
  await own.begin();
  await own.ask("Which branch do we deploy?", "From the branch release, says anna.");
  await editor.screenshot("team-accepted");
  return own;
}

async function annaForgets(editor, own) {
  await own.act("Deploys", "Forget");
  await editor.screenshot("team-forgetting");
  await editor.dialog.getByRole("button", { name: "Forget" }).click();
  await own.row("Deploys").waitFor({ state: "detached" });
}

async function isGone(own, { engine, bert }) {
  await own.begin();
  await own.row("Deploys").waitFor({ state: "detached" });
  await own.ask("Which branch do we deploy?", "I do not know of a branch.");
  assert.ok(!bert.requests.at(-1).includes(MARK));
  assert.deepEqual(await engine.find(MARK), []);
  assert.deepEqual(await filesWith(bert.env.XDG_DATA_HOME, MARK), []);
}

const QUESTION = "Which branch do we deploy from the desk?";

/** At the desk: a session in which something was said, all of which the server has. */
async function annaBegins(page, editor, { engine, desk, train }) {
  const own = hands(page, editor, engine, "anna");
  await own.open();
  await own.takePart("Make a project…", [/Colleagues join it by this name/, PROJECT]);
  await editor.pick("Suggest it to colleagues");
  await own.givePassword();
  await cp(path.join(desk.workspace, ".plimsoll"), path.join(train.workspace, ".plimsoll"), {
    recursive: true,
  });
  await own.ask(QUESTION, "I do not know of a branch.");
  while ((await engine.find(QUESTION)).length === 0);
}

/** What stands in the place of the field while another machine writes; a screen reader has it too. */
const held = (chat) =>
  chat
    .getByRole("group", { name: "Read only" })
    .getByText(/The machine another .* is using this session\./);

/** On the train, by the same role: the list names the other machine, which is asked about no further. */
async function annaGoesOn(page, editor, { engine, train }) {
  const own = hands(page, editor, engine, "anna");
  await own.open();
  await own.takePart(`Join “${PROJECT}”`);
  await own.givePassword();
  await editor.listed("Plimsoll: Resume Session", /on another/);
  await editor.screenshot("machines-list");
  await editor.pick(QUESTION);
  const chat = editor.webview(0);
  await held(chat).waitFor();
  await chat.locator("[data-kind=answer]").getByText("I do not know of a branch.").waitFor();
  await editor.screenshot("machines-held");
  await chat.getByRole("button", { name: "Take over" }).click();
  // Each machine has a model of its own: that this one may have the session is asked once.
  await say(chat, "And from the train?");
  await chat.getByRole("button", { name: "Send it there" }).click();
  await chat.locator("[data-kind=answer]").nth(1).getByText("I do not know of a branch.").waitFor();
  assert.ok(train.requests.at(-1).includes(QUESTION));
  assert.deepEqual(await readdir(train.workspace), [".plimsoll"]);
}

test("a third home of the same person goes on with a session, files apart", async (context) => {
  const engine = await startEngine();
  if (engine.missing) return leaveOut(engine.missing, context);
  const folder = await mkdtemp(path.join(tmpdir(), "plimsoll-machines-"));
  const [desk, train] = await Promise.all(["desk", "train"].map((name) => person(folder, name)));
  for (const { env } of [desk, train]) env.PLIMSOLL_TEAM__SESSIONS = "true";
  const both = { engine, desk, train };
  try {
    await writeFile(path.join(desk.workspace, "tide.txt"), "High at noon.\n");
    await withEditor({ ...desk, name: "machines-desk" }, async (desksPage, desksEditor) => {
      await annaBegins(desksPage, desksEditor, both);
      await withEditor({ ...train, name: "machines-train" }, async (page, editor) => {
        await annaGoesOn(page, editor, both);
        // While it is there: as its window closes the session is free again.
        await held(desksEditor.webview(0)).waitFor();
        assert.deepEqual([...desksEditor.left, ...editor.left], []);
      });
    });
  } finally {
    for (const { stop } of [desk, train]) stop();
    await engine.stop();
    await rm(folder, { recursive: true, force: true });
  }
});

test("one shares, the other accepts, and what is forgotten is gone everywhere", async (context) => {
  const engine = await startEngine();
  if (engine.missing) return leaveOut(engine.missing, context);
  const folder = await mkdtemp(path.join(tmpdir(), "plimsoll-team-"));
  const people = await Promise.all([person(folder, "anna"), person(folder, "bert")]);
  const [anna, bert] = people;
  const both = { engine, anna, bert };
  try {
    await withEditor({ ...anna, name: "team-anna" }, async (annasPage, annasEditor) => {
      const annas = await annaShares(annasPage, annasEditor, both);
      await withEditor({ ...bert, name: "team-bert" }, async (page, editor) => {
        const berts = await bertAccepts(page, editor, both);
        await annaForgets(annasEditor, annas);
        await isGone(berts, both);
        assert.deepEqual([...annasEditor.left, ...editor.left], []);
      });
    });
  } finally {
    for (const { stop } of people) stop();
    await engine.stop();
    await rm(folder, { recursive: true, force: true });
  }
});
