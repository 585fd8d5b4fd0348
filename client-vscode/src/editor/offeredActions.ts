/** What the editor has at the place for which it asks. */
export interface EditorPlace<Problem extends { readonly message: string }> {
  readonly selected: boolean;
  /** A person asks for the list; else the editor looks whether a light bulb is to be shown. */
  readonly invoked: boolean;
  /** The editor's problems there. */
  readonly problems: readonly Problem[];
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

const OF_LINES: readonly OfferedAction[] = [
  { title: "Explain with Plimsoll", command: "plimsoll.explainSelection" },
  { title: "Edit Here with Plimsoll…", command: "plimsoll.editSelection" },
];

const OF_SELECTION: readonly OfferedAction[] = [
  { title: "Add Selection to Chat", command: "plimsoll.addSelectionToChat" },
  { title: "Pin Selection", command: "plimsoll.pinSelection" },
  { title: "Remember Selection…", command: "plimsoll.rememberSelection" },
];

const OF_PROBLEM: readonly OfferedAction[] = [
  { title: "Fix with Plimsoll", command: "plimsoll.fixProblem" },
  { title: "Ask Plimsoll about This Problem", command: "plimsoll.askAboutProblem" },
];

/** What Plimsoll offers at a place, in the order in which the editor lists it. */
export function offeredActions<Problem extends { readonly message: string }>({
  selected,
  invoked,
  problems,
  held,
  file,
}: EditorPlace<Problem>): OfferedAction[] {
  const asked = problems
    .filter((one, at) => problems.findIndex(({ message }) => message === one.message) === at)
    .flatMap((problem) =>
      OF_PROBLEM.map((offered) => ({ ...offered, arguments: [problem], fixes: problem.message })),
    );
  const removed = {
    title: `Remove ${file} from the Context`,
    command: "plimsoll.removeFile",
    arguments: [held],
  };
  return [
    ...asked,
    // A cursor alone would have its light bulb on every line.
    ...(selected || invoked ? OF_LINES : []),
    ...(selected ? OF_SELECTION : []),
    ...(held.length > 0 ? [removed] : []),
  ];
}
