import { lookup } from "./lookup";

/** Short names of languages as fences have them, and the names that VS Code has. */
const EDITOR_NAMES: Readonly<Record<string, string>> = lookup({
  "c++": "cpp",
  bash: "shellscript",
  cs: "csharp",
  "c#": "csharp",
  docker: "dockerfile",
  golang: "go",
  js: "javascript",
  jsx: "javascriptreact",
  kt: "kotlin",
  make: "makefile",
  md: "markdown",
  patch: "diff",
  ps1: "powershell",
  py: "python",
  rb: "ruby",
  rs: "rust",
  sh: "shellscript",
  shell: "shellscript",
  svg: "xml",
  ts: "typescript",
  tsx: "typescriptreact",
  yml: "yaml",
  zsh: "shellscript",
});

/** The editor's name for the language of a fence; one that the editor does not know is plain text. */
export function editorLanguage(fence: string, known: readonly string[]): string {
  const name = fence.toLowerCase();
  const wanted = EDITOR_NAMES[name] ?? name;
  return known.includes(wanted) ? wanted : "plaintext";
}
