import { expect, it } from "vitest";
import {
  editorNetwork,
  editorVariables,
  PASSWORD_VARIABLE,
  withEditorNetwork,
} from "../../src/server/editorNetwork";
import type { Inspection } from "../../src/server/settings";

type Values = Record<string, Inspection>;

const read = (values: Values) => editorNetwork((key) => values[key]);

it("takes the editor's proxy, its exceptions and its trust, without the password", () => {
  const values: Values = {
    "http.proxy": { globalValue: "http://ada:s%40cret@proxy.example.org:8080/" },
    "http.noProxy": { globalValue: [".example.org", 7] },
    "http.proxyStrictSSL": { globalValue: false },
  };
  expect(read(values)).toEqual({
    proxy: "http://ada@proxy.example.org:8080",
    noProxy: [".example.org"],
    verifyProxy: false,
  });
  expect(editorVariables((key) => values[key])).toEqual({ [PASSWORD_VARIABLE]: "s@cret" });
});

it("takes a password with a bare per cent sign as it is written", () => {
  const values: Values = {
    "http.proxy": { globalValue: "http://ada:100%@proxy.example.org:8080" },
  };
  expect(editorVariables((key) => values[key])).toEqual({ [PASSWORD_VARIABLE]: "100%" });
});

it("takes nothing of a workspace", () => {
  const evil = {
    workspaceValue: "http://evil.example",
    workspaceFolderValue: "http://evil.example",
  };
  const values = { "http.proxy": evil, "http.noProxy": { workspaceValue: ["*"] } };
  expect(read(values)).toEqual({});
  expect(editorVariables((key) => (values as Values)[key])).toEqual({});
  expect(read({ "http.proxyStrictSSL": { workspaceValue: false } })).toEqual({});
});

it.each([
  ["http://p:1", "off", undefined],
  ["http://p:1", "on", "http://p:1"],
  ["socks5://p", undefined, "socks5://p"],
  ["ftp://p:1", undefined, undefined],
  ["no address", undefined, undefined],
])("reads %s with a proxy support of %s", (proxy, support, wanted) => {
  const values = {
    "http.proxy": { globalValue: proxy },
    "http.proxySupport": { globalValue: support },
  };
  expect(read(values).proxy).toBe(wanted);
});

it("stands behind what is set of Plimsoll", () => {
  const editor = { proxy: "http://theirs:1", noProxy: ["a"], verifyProxy: false };
  expect(withEditorNetwork({}, editor)).toEqual({
    network: { ...editor, proxyPasswordEnv: PASSWORD_VARIABLE },
  });
  const own = { model: { name: "m" }, network: { proxy: "http://ours:2", noProxy: ["b"] } };
  expect(withEditorNetwork(own, editor)).toEqual({
    model: { name: "m" },
    network: { proxy: "http://ours:2", noProxy: ["b"], verifyProxy: false },
  });
  expect(withEditorNetwork({ model: {} }, {})).toEqual({ model: {} });
});
