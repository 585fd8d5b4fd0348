/** What the editor has at the place for which it asks. */
export interface EditorPlace {
  readonly selected: boolean;
  /** What the editor's problems there say. */
  readonly problems: readonly string[];
  /** The items of the context that stem from the file. */
  readonly held: readonly string[];
  readonly file: string;
}

export interface OfferedAction {
  readonly title: string;
  readonly command: string;
  readonly arguments?: readonly unknown[];
  /** Stands among the fixes of a problem. */
  readonly fixes?: string;
}

const OF_SELECTION: readonly OfferedAction[] = [
  { title: "Explain with Plimsoll", command: "plimsoll.explainSelection" },
  { title: "Edit with Plimsoll…", command: "plimsoll.editSelection" },
  { title: "Add Selection to Chat", command: "plimsoll.addSelectionToChat" },
  { title: "Pin Selection", command: "plimsoll.pinSelection" },
  { title: "Remember Selection…", command: "plimsoll.rememberSelection" },
];

const OF_PROBLEM: readonly OfferedAction[] = [
  { title: "Fix with Plimsoll", command: "plimsoll.fixProblem" },
  { title: "Ask Plimsoll about This Problem", command: "plimsoll.askAboutProblem" },
];

/** What Plimsoll offers at a place, in the order in which the editor lists it. */
export function offeredActions({ selected, problems, held, file }: EditorPlace): OfferedAction[] {
  const asked = [...new Set(problems)].flatMap((problem) =>
    OF_PROBLEM.map((offered) => ({ ...offered, arguments: [problem], fixes: problem })),
  );
  const removed = {
    title: `Remove ${file} from the Context`,
    command: "plimsoll.removeFile",
    arguments: [held],
  };
  return [...asked, ...(selected ? OF_SELECTION : []), ...(held.length > 0 ? [removed] : [])];
}
