import {
  asPaste,
  type ChangeKind,
  changedDraft,
  type Draft,
  EMPTY_DRAFT,
} from "../../../text/pasted";

/** As many states of a draft are known for undo; an older one counts as pasted. */
const MOST_STATES = 500;

/** What a browser says of a change by hand; any other kind brings something in. */
const TYPED: ReadonlySet<string> = new Set([
  "",
  "insertText",
  "insertLineBreak",
  "insertParagraph",
  "insertCompositionText",
  "insertFromComposition",
  "insertTranspose",
]);

/** The draft in the field, with what of it was pasted, through every change of the field. */
export class WrittenDraft {
  private held: Draft = EMPTY_DRAFT;
  private readonly states = new Map<string, Draft>();

  get draft(): Draft {
    return this.held;
  }

  /** Another text stands in the field. */
  write(draft: Draft): void {
    this.states.clear();
    this.hold(draft);
  }

  /** The field has changed; `inputType` and `caret` as the browser says them. */
  changed(text: string, inputType: string, caret: number): void {
    const known = inputType.startsWith("history") ? this.states.get(text) : undefined;
    this.hold(known ?? changedDraft(this.held, text, changeKind(inputType), caret));
  }

  private hold(draft: Draft): void {
    const known = this.states.get(draft.text);
    this.held = draft;
    this.states.delete(draft.text);
    // Typed or pasted, the same text: undo does not tell which comes back.
    const doubted = known !== undefined && known.pasted.length > draft.pasted.length;
    this.states.set(draft.text, doubted ? asPaste(draft.text) : draft);
    if (this.states.size > MOST_STATES) {
      const [oldest] = this.states.keys();
      this.states.delete(oldest ?? "");
    }
  }
}

function changeKind(inputType: string): ChangeKind {
  if (inputType === "insertReplacementText") {
    return "reworded";
  }
  return TYPED.has(inputType) || inputType.startsWith("delete") ? "typed" : "pasted";
}
