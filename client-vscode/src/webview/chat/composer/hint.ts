const ASK = "Ask, @ for a file, / for a command";
const ASK_SHORT = "Ask, @, /";
const WHILE_RUNNING = "Add to this task (Alt+Enter: afterwards)";
const WHILE_RUNNING_SHORT = "Add to this task";
const WHILE_RUNNING_SHORTEST = "Add to task";

/** A field narrower than this, in pixels, has one line for few words alone. */
const NARROW = 290;
/** Narrower still it shares its line with mode, model and button. */
const NARROWEST = 200;

/** What stands in an empty field; a hint of two lines would cost one of the conversation. */
export function hintOf(running: boolean, width: number): string {
  if (width > 0 && width < NARROWEST) {
    return running ? WHILE_RUNNING_SHORTEST : ASK_SHORT;
  }
  if (!running) {
    return ASK;
  }
  return width > 0 && width < NARROW ? WHILE_RUNNING_SHORT : WHILE_RUNNING;
}

/** The sign, the word and the tip of the button that sends. */
export function sendLook(held: boolean, running: boolean): readonly [string, string, string] {
  if (held) {
    return ["×", "Take back", "Take back (Escape)"];
  }
  return running ? ["■", "Stop", "Stop (Escape)"] : ["↵", "Send", "Send (Enter)"];
}
