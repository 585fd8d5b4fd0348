import type { Attachments } from "../attachments";
import type { Ctx } from "../ctx";
import { PageView } from "../pages/pageView";
import { SLASH_COMMANDS, type SlashCommand } from "../protocol";
import type { FromPage, ToPage } from "./posts";

export type ChatView = PageView<ToPage, FromPage>;

/** Shows the conversation that the extension host keeps. */
export function chatView(
  ctx: Ctx,
  attachments: Attachments,
  handle: (message: FromPage) => Promise<void>,
): ChatView {
  const hydrate = (): ToPage => ({
    type: "state",
    state: ctx.session.state,
    attachments: attachments.list,
    commands: slashCommands(ctx),
  });
  const setup = { id: "plimsoll.chat", title: "Plimsoll chat", script: "chat", hydrate, handle };
  const view: ChatView = new PageView(ctx.extension.extensionUri, setup);
  ctx.own(
    view.register(),
    ctx.session.onAction((action) => {
      view.post({ type: "action", action });
      view.describe(ctx.session.state.session?.title ?? "");
    }),
    attachments.onDidChange(() =>
      view.post({ type: "attachments", attachments: attachments.list }),
    ),
  );
  // What is served is known only now: a page that was there before offers it too.
  ctx.onReady(async () => view.post(hydrate()));
  return view;
}

/** Only what this server answers. */
function slashCommands(ctx: Ctx): SlashCommand[] {
  const served = ctx.offered?.commands;
  return SLASH_COMMANDS.filter(
    ({ command }) => command === undefined || served === undefined || served.includes(command),
  );
}
