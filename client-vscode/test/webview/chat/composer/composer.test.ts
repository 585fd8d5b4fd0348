import { describe, expect, it } from "vitest";
import { session } from "../../../values";
import { act, button, drawn, field, key, one, open, posts, READY, send, type } from "../openPage";

// @vitest-environment jsdom

describe("writing", () => {
  it("sends with Enter and empties the field when the host took it", () => {
    open();
    type("hello");
    expect(key("Enter").defaultPrevented).toBe(true);
    expect(posts.at(-1)).toEqual({ type: "send", text: "hello", pasted: [] });
    expect(field().value).toBe("hello");
    send({ type: "sent", ok: true });
    expect(field().value).toBe("");
  });

  it("tells what was pasted, also of a prompt that came back and was typed on", () => {
    open();
    type("Read ");
    field().setRangeText("a mail", 5, 5, "end");
    field().dispatchEvent(new InputEvent("input", { inputType: "insertFromPaste" }));
    key("Enter");
    const read = { type: "send", text: "Read a mail", pasted: [[5, 11]] };
    expect(posts.at(-1)).toEqual(read);
    send({ type: "sent", ok: true });
    send({ type: "giveBack", text: "Read a mail", pasted: [[5, 11]] });
    field().setRangeText("!", 11, 11, "end");
    field().dispatchEvent(new InputEvent("input", { inputType: "insertText" }));
    key("Enter");
    expect(posts.at(-1)).toEqual({ ...read, text: "Read a mail!" });
  });

  it("keeps the message when it could not be sent", () => {
    open();
    type("hello");
    key("Enter");
    send({ type: "sent", ok: false });
    expect(field().value).toBe("hello");
    expect(field().readOnly).toBe(false);
  });

  describe("while the server starts", () => {
    const starting = () => open({ ...READY, connection: "starting" });
    const connected = async (connection: "ready" | "failed") => {
      act({ type: "connection", connection, message: "" });
      await drawn();
    };
    const sent = () => posts.filter(({ type: kind }) => kind === "send");

    it("holds what is sent, says so, and sends it once the server has started", async () => {
      starting();
      type("hello");
      key("Enter");
      expect(sent()).toEqual([]);
      expect(field().readOnly).toBe(true);
      expect(one(".held").hidden).toBe(false);
      await connected("ready");
      expect(sent()).toEqual([{ type: "send", text: "hello", pasted: [] }]);
      expect(one(".held").hidden).toBe(true);
      send({ type: "sent", ok: true });
      expect([field().value, field().readOnly]).toEqual(["", false]);
    });

    it.each([
      ["Escape", () => key("Escape")],
      ["the button", () => button("Take back").click()],
    ])("gives it back by %s", async (_, takeBack) => {
      starting();
      type("hello");
      key("Enter");
      takeBack();
      expect([field().value, field().readOnly, one(".held").hidden]).toEqual([
        "hello",
        false,
        true,
      ]);
      await connected("ready");
      expect(sent()).toEqual([]);
    });

    it("keeps it in the field when the start fails, and when another window has the session", async () => {
      starting();
      type("hello");
      key("Enter");
      await connected("failed");
      expect([field().value, field().readOnly]).toEqual(["hello", false]);
      key("Enter");
      expect(one("#status").textContent).toContain("Not sent: the server is not running");
      act({ type: "session", session: session({ heldBy: "code" }) });
      act({ type: "connection", connection: "starting", message: "" });
      await drawn();
      key("Enter");
      await connected("ready");
      expect(sent()).toEqual([]);
      expect(field().readOnly).toBe(false);
    });
  });

  it("breaks the line with Shift+Enter and sends nothing while a word is composed", () => {
    open();
    type("hello");
    expect(key("Enter", { shiftKey: true }).defaultPrevented).toBe(false);
    key("Enter", { isComposing: true });
    expect(posts.some(({ type: kind }) => kind === "send")).toBe(false);
  });

  it("stops the turn with Escape and with the button", () => {
    open({ ...READY, turnId: "t1" });
    key("Escape");
    expect(posts.at(-1)).toEqual({ type: "run", command: "cancelTurn" });
    button("Stop").click();
    expect(posts.filter(({ type: kind }) => kind === "run")).toHaveLength(2);
  });

  it.each([
    [{}, "more", { type: "send", text: "more", pasted: [], when: "steer" }],
    [{ altKey: true }, "more", { type: "send", text: "more", pasted: [], when: "after" }],
    [{}, "/cost", { type: "send", text: "/cost", pasted: [] }],
  ])("queues what is sent while a turn runs: %o %s", (keys, text, post) => {
    open({ ...READY, turnId: "t1" });
    type(text);
    key("Escape");
    key("Enter", keys);
    expect(posts.at(-1)).toEqual(post);
  });

  it("completes a command by the keyboard", () => {
    open();
    type("/co");
    const options = [...document.querySelectorAll("[role=option]")];
    expect(options.map((option) => option.querySelector("b")?.textContent)).toEqual([
      "/compact [instructions]",
      "/cost",
    ]);
    key("ArrowDown");
    expect(field().getAttribute("aria-activedescendant")).toBe("suggestion-1");
    key("Enter");
    expect(field().value).toBe("/cost");
    expect(posts.some(({ type: kind }) => kind === "send")).toBe(false);
    key("Enter");
    expect(posts.at(-1)).toEqual({ type: "send", text: "/cost", pasted: [] });
  });

  it("sends a command that is written out, with nothing left to complete", () => {
    open();
    type("/cost");
    key("Enter");
    expect(posts.at(-1)).toEqual({ type: "send", text: "/cost", pasted: [] });
    expect(document.querySelector("[role=option]")).toBeNull();
  });

  it("sends a command whose arguments can be left out, and asks for those that cannot", () => {
    open();
    type("/compact");
    key("Enter");
    expect(posts.at(-1)).toEqual({ type: "send", text: "/compact", pasted: [] });
    send({ type: "sent", ok: true });
    type("/pin");
    key("Enter");
    expect(field().value).toBe("/pin ");
    expect(posts.filter(({ type: kind }) => kind === "send")).toHaveLength(1);
  });

  it("offers commands that come after their names were typed, and none once one was sent", () => {
    open();
    const late = { name: "box:letter", arguments: "", alone: true, help: "Writes." };
    type("/");
    type("/box:le");
    expect(document.querySelector("[role=option]")).toBeNull();
    send({ type: "commands", commands: [late] });
    expect(one("[role=option] b").textContent).toBe("/box:letter");
    type("/");
    type("/box:letter");
    key("Enter");
    send({ type: "commands", commands: [late] });
    expect(document.querySelector("[role=option]")).toBeNull();
  });

  it("completes a file from the host, and ignores a late answer", () => {
    open();
    type("see @led");
    expect(posts.at(-1)).toEqual({ type: "findFiles", query: "led" });
    send({ type: "files", query: "le", paths: ["old.py"] });
    expect(document.querySelector("[role=option]")).toBeNull();
    send({ type: "files", query: "led", paths: ["src/ledger.py"] });
    key("Tab");
    expect(field().value).toBe("see @src/ledger.py ");
  });

  it("shows the tokens of the draft that stands there, not of an older one", () => {
    open();
    type("hello");
    send({ type: "draftTokens", text: "hell", tokens: 9 });
    send({ type: "draftTokens", text: "hello", tokens: 1024 });
    expect(one("[data-draft-tokens]").textContent).toBe("draft 1,024 tok");
  });

  it("comes back with its draft", () => {
    open();
    type("half a thought");
    open();
    expect(field().value).toBe("half a thought");
  });
});

describe("what the active editor shows", () => {
  const chip = () => one<HTMLButtonElement>(".chip.active");

  it("is offered before what was added, and one click asks the host to take it along", () => {
    open();
    const attachments = [{ id: "attachment1", label: "shot.png (3 kB)" }];
    send({
      type: "attachments",
      attachments,
      active: { what: "file", label: "a.py", attached: false },
    });
    const labels = [...document.querySelectorAll(".chips button")].map((each) => each.textContent);
    expect(labels).toEqual(["+ a.py", "shot.png (3 kB) ×"]);
    chip().focus();
    chip().click();
    expect(posts.at(-1)).toEqual({ type: "toggleActive" });
    send({
      type: "attachments",
      attachments,
      active: { what: "selection", label: "a.py:3-5", attached: true },
    });
    expect(chip().textContent).toBe("a.py:3-5 ×");
    expect(chip().getAttribute("aria-label")).toBe(
      "Leave out the selection of the active editor, a.py:3-5",
    );
    expect(document.activeElement).toBe(chip());
  });

  it("leaves with the editor", () => {
    open();
    send({ type: "attachments", attachments: [] });
    expect(document.querySelector(".chips")?.childElementCount).toBe(0);
  });
});

describe("mentions", () => {
  const labels = () =>
    [...document.querySelectorAll("[role=option] b")].map((element) => element.textContent);

  it("lists what is no file before the files", () => {
    open();
    type("see @");
    expect(labels()).toContain("@problems");
    send({ type: "files", query: "", paths: ["src/a.py"] });
    expect([labels().at(0), labels().at(-1)]).toEqual(["@selection", "a.py"]);
    key("Enter");
    expect(field().value).toBe("see @selection ");
  });

  it("lists nothing behind one that is written out: Enter says the message", () => {
    open();
    type("see @problem");
    expect(labels()).toEqual(["@problems", "@problems:file"]);
    type("see @problems");
    send({ type: "files", query: "problem", paths: ["src/problems.ts"] });
    expect(labels()).toEqual([]);
    key("Enter");
    expect(posts.at(-1)).toEqual({ type: "send", text: "see @problems", pasted: [] });
  });

  it("goes on to symbols and folders by their names", () => {
    open();
    type("@symbol:to");
    expect(posts.at(-1)).toEqual({ type: "findFiles", query: "symbol:to" });
    send({ type: "symbols", query: "symbol:to", symbols: [{ name: "total", path: "src/a.py" }] });
    key("Enter");
    expect(field().value).toBe("@symbol:total ");
    type("@folder:s");
    send({ type: "files", query: "folder:s", paths: ["src/deep/"] });
    expect(labels()).toEqual(["deep/"]);
    key("Enter");
    expect(field().value).toBe("@src/deep/ ");
  });

  it("lists resources of MCP servers behind the files, and writes the mention of one", () => {
    open();
    type("see @box");
    const resource = { label: "@box:note://one", detail: "", text: "@box:note://one " };
    send({ type: "files", query: "box", paths: ["src/box.py"], resources: [resource] });
    expect(labels()).toEqual(["box.py", "@box:note://one"]);
    key("ArrowDown");
    key("Enter");
    expect(field().value).toBe("see @box:note://one ");
  });

  it("takes what is dropped, and writes what the host makes of it at the caret", () => {
    open();
    type("look at");
    const drop = new Event("drop", { bubbles: true, cancelable: true });
    const list = "# two\r\nfile:///w/a.py\r\nfile:///w/src";
    const getData = (format: string) => (format === "text/uri-list" ? list : "");
    Object.assign(drop, { dataTransfer: { getData } });
    field().dispatchEvent(drop);
    expect(drop.defaultPrevented).toBe(true);
    expect(posts.at(-1)).toEqual({ type: "dropFiles", uris: ["file:///w/a.py", "file:///w/src"] });
    send({ type: "insert", text: "@a.py @src/ " });
    expect(field().value).toBe("look at @a.py @src/ ");
  });
});
