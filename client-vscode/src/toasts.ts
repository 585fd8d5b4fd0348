import type { Ctx } from "./ctx";
import { withoutLinks } from "./format";
import { warn } from "./notify";
import type { Action } from "./session/reduce";

const SHOW = "Show";
/** A toast has room for about this much; what is longer is read in the chat before it is allowed. */
const FITS = 160;

type Asked = Extract<Action, { type: "asked" }>;

/** Asks in a notification when the chat, where the question stands, is not in sight. */
export function askOutOfSight(
  ctx: Ctx,
  isVisible: () => boolean,
  reveal: () => Promise<void>,
): void {
  ctx.own(
    ctx.session.onAction((action) => {
      const elsewhere = action.type === "asked" && action.sessionId !== ctx.session.sessionId;
      if (action.type === "asked" && (elsewhere || !isVisible())) {
        void ask(ctx, action, reveal);
      }
    }),
  );
}

async function ask(ctx: Ctx, asked: Asked, reveal: () => Promise<void>): Promise<void> {
  const answers = answersThatFit(asked);
  const { title, detail } = asked.toolCall;
  const message =
    answers.length > 0 ? `Plimsoll asks to run: ${detail?.command}` : `Plimsoll asks: ${title}`;
  const picked = await warn(message, ...answers.map(({ name }) => name), SHOW);
  const option = answers.find(({ name }) => name === picked);
  if (option !== undefined) {
    ctx.questions.answer(asked.requestId, option.optionId);
  } else if (picked === SHOW) {
    await show(ctx, asked);
    await reveal();
  }
}

/** The question of another session is read in its own conversation. */
async function show(ctx: Ctx, { sessionId }: Asked): Promise<void> {
  const folder = ctx.folder?.uri.toString();
  if (sessionId !== ctx.session.sessionId && folder !== undefined) {
    await ctx.session.load(folder, sessionId);
  }
}

/** Nothing is allowed unseen: answers are offered only where all that will happen stands in the toast. */
function answersThatFit({ toolCall, options }: Asked): { name: string; optionId: string }[] {
  const command = toolCall.detail?.command ?? "";
  const plain = /^[\x20-\x7E]+$/.test(command) && withoutLinks(command) === command;
  const readable = plain && command.length <= FITS;
  const once = options.filter(({ kind }) => kind === "allowOnce" || kind === "rejectOnce");
  return readable ? [...once] : [];
}
