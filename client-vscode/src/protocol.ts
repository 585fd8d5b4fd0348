// Generated from server/plimsoll/lsp/wire by scripts/lib/protocol/generate.py.

/** What is asked before a session goes to an address at which it was not held, for people. */
export interface AddressQuestion {
  known: string;
  now: string;
}

/**
 * Something that a person could do, and the tokens that it would free.
 *
 * `itemIds` are the items to evict; without them it is another step: `context.full` is a
 * compaction.
 */
export interface Advice {
  code: string;
  message: string;
  saves: number;
  itemIds?: string[];
}

/**
 * A subagent: the session in which it works, its kind, and what it is called for.
 *
 * While it works, `doing` is the title of its last call, and `tokens` what its requests took.
 * `isolated`: it works in a git worktree of its own, and what it changes is brought in at the end.
 */
export interface AgentView {
  sessionId: string;
  kind: string;
  description: string;
  doing?: string;
  tokens?: number;
  isolated?: boolean;
}

export type Basis = "counted" | "estimated";

/**
 * Tokens that the provider's cache might have held and that were sent anew, and why.
 *
 * `expired`: the provider kept them no longer. `rewritten`: `editIds` changed what stands before
 * them. `money` is what it cost more than from the cache, in US dollars; absent: not known.
 */
export interface CacheMiss {
  cause: MissCause | (string & Record<never, never>);
  tokens: number;
  editIds?: string[];
  money?: number;
}

/** Misses of the provider's cache by one cause, and the tokens that were sent anew. */
export interface CacheMissCounter {
  cause: MissCause | (string & Record<never, never>);
  times: number;
  tokens: number;
}

/** The tokens of the prefix that stay as they are, and those that the provider had cached. */
export interface CacheReport {
  stablePrefix: number;
  cachedTokens?: number;
  hitRate?: number;
}

/**
 * What is changed in the folder's git repository; the server reads it as the prompt is said.
 *
 * The names of staged, unstaged and untracked files, and as much of the diffs as fits; without
 * the content of files that by their names hold secrets. It becomes an excerpt.
 */
export interface ChangesPart {
  type: "changes";
}

/** The answer of every command: a `message` in Markdown, and the result of its method. */
export interface CommandResult {
  message: string;
  result?: unknown;
}

/**
 * What a command is kept from: by which sandbox, how far, and in one line for people.
 *
 * `coverage` is `full` where it can change only the folder and reach only what is shown, `partial`
 * where the sandbox covers less, `none` where it can do all that the person can. `network` tells
 * whether it can reach the network, `registries` whether package registries alone.
 */
export interface Confinement {
  rung: Rung | (string & Record<never, never>);
  coverage: Coverage | (string & Record<never, never>);
  network: boolean;
  registries?: boolean;
  summary: string;
}

/**
 * An address that was connected; `error` says why it does not answer now.
 *
 * `isSet`: the settings name it, so it is in the list as long as they do.
 */
export interface ConnectedAddress {
  provider: string;
  baseUrl?: string;
  address: string;
  isSet: boolean;
  error?: Failure;
}

/**
 * A model at an address that was connected; what is left out is not known.
 *
 * `model` is what a session is set to: `provider/name`, or `provider@address/name` where the
 * address is another than the one that is set.
 */
export interface ConnectedModel {
  model: string;
  name: string;
  provider: string;
  baseUrl?: string;
  address: string;
  contextWindow?: number;
  windowSource?: OfferedWindowSource | (string & Record<never, never>);
  images?: boolean;
  tools?: boolean;
  price?: TokenPrices;
  usedAt?: string;
}

export type ContentPart = TextPart | FilePart | ImagePart | SelectionPart | ExcerptPart | ChangesPart;

/**
 * The way to compact; `workDoneToken` gets the progress and can cancel it.
 *
 * `summary` is put in place as it stands: it must only be smaller than what it replaces.
 * `untilMessageId` is the last message that leaves. `anyway`: a model is asked also where its
 * summary could free no more than 2 % of the window; else that is an error with `couldFree`.
 */
export interface ContextCompactParams {
  sessionId: string;
  instructions?: string;
  strategy?: Strategy;
  anyway?: boolean;
  summary?: string;
  untilMessageId?: string;
  workDoneToken?: number | string;
}

/** The load changed; sent at most ten times a second. */
export interface ContextDidChangeParams {
  sessionId: string;
  meter: Meter;
}

/** The view before and after a reduction, as Markdown for a diff editor. */
export interface ContextDiffResult {
  before: string;
  after: string;
}

/** What the summary is to cover, and what is wanted of it. */
export interface ContextDraftSummaryParams {
  sessionId: string;
  untilMessageId?: string;
  instructions?: string;
  workDoneToken?: number | string;
}

/** The item to explain. */
export interface ContextExplainParams {
  sessionId: string;
  itemId: string;
}

/** The log of a session with its texts, one JSON object a line. */
export interface ContextExportResult {
  jsonl: string;
}

/** An exported log, and the folder that the new session is bound to. */
export interface ContextImportParams {
  workspaceFolder: string;
  jsonl: string;
}

/**
 * One part of one message: the unit that is counted, pinned, evicted and restored.
 *
 * A call and its result have the same `callId`. `imports`: what a rules file points on to.
 */
export interface ContextItem {
  id: string;
  kind: ItemKind | (string & Record<never, never>);
  title: string;
  tokens: number;
  originalTokens: number;
  state: ItemState | (string & Record<never, never>);
  turn: number;
  pinned: boolean;
  source?: ItemSource;
  why?: string;
  callId?: string;
  imports?: RulesImport[];
}

/** The session to measure, and the prompt that is being written. */
export interface ContextMeterParams {
  sessionId: string;
  draft?: ContentPart[];
}

/** The call of a command that runs, as `toolUpdate.toolCallId` names it. */
export interface ContextOutputParams {
  sessionId: string;
  toolCallId: string;
}

/** All that the command has written so far, with what is known to be secret blanked. */
export interface ContextOutputResult {
  text: string;
}

/** How long to put off a planned automatic compaction. */
export interface ContextPostponeParams {
  sessionId: string;
  until: Postponement;
}

/** The stage to preview; without one, the next automatic reduction. */
export interface ContextPreviewParams {
  sessionId: string;
  stage?: StageName;
}

/**
 * All that the next request carries; parts, tools, sections and files sum up the same items.
 *
 * `history`: the newest requests so far, oldest first.
 */
export interface ContextReport {
  meter: Meter;
  pending: Receipt[];
  items?: ContextItem[];
  files: FileTokens[];
  systemSections: NamedTokens[];
  tools: NamedTokens[];
  receipts: Receipt[];
  cache: CacheReport;
  advice: Advice[];
  history?: PastRequest[];
  spending?: Spending;
  skills?: Skill[];
}

/** The report to make: `list` leaves the items out, `turnId` shows the context of that turn. */
export interface ContextReportParams {
  sessionId: string;
  detail?: Detail;
  draft?: ContentPart[];
  turnId?: string;
  offset?: number;
  limit?: number;
}

/** The item of a result, as `toolUpdate.itemId` names it. */
export interface ContextResultParams {
  sessionId: string;
  itemId: string;
}

/** The result as it was kept: whole, with what is known to be secret blanked. */
export interface ContextResultResult {
  text: string;
}

/** What the server did since it was started, over all sessions; nobody's text is in it. */
export interface Counters {
  turns: number;
  requests: RequestCounter[];
  reductions: ReductionCounter[];
  cacheMisses: CacheMissCounter[];
  waits: WaitCounter[];
}

/**
 * How much a search found, or a read brought.
 *
 * `matches` are the lines that match, of a search of lines; `files` those in which they stand, or
 * that were found by name; `searched` those that were looked through in vain, where that is known;
 * `lines` were read. With `more` there may be more: the search was stopped, or had enough.
 */
export interface Counts {
  matches?: number;
  files?: number;
  searched?: number;
  lines?: number;
  more?: boolean;
}

export type Coverage = "full" | "partial" | "none";

/**
 * A custom agent, the person's own or the folder's; `tokens`: of its line in each request.
 *
 * `shortened`: its description is cut there, for all of them take more than 2 % of the window.
 * `tools`: the only ones that it may use, never more than whoever calls it. `model`: the one that
 * it asks for, if the person has set it. `unknown`: what of its file means nothing here.
 * `path` and `problem` are those of a custom command.
 */
export interface CustomAgent {
  name: string;
  description: string;
  source: CustomSource | (string & Record<never, never>);
  path: string;
  tokens: number;
  enabled: boolean;
  shortened?: boolean;
  tools?: string[];
  model?: string;
  unknown?: string[];
  problem?: string;
}

/**
 * A custom command, the person's own or the folder's; `tokens`: of its text, once it is sent.
 *
 * `path` is that of its file, for people. One with a `problem`, in words that follow the path,
 * cannot be used.
 */
export interface CustomCommand {
  name: string;
  description: string;
  argumentHint?: string;
  source: CustomSource | (string & Record<never, never>);
  path: string;
  tokens: number;
  enabled: boolean;
  problem?: string;
}

/** A custom command as it was typed: its name and what stood behind it. */
export interface CustomExpandParams {
  sessionId: string;
  name: string;
  arguments?: string;
}

/**
 * The prompt of a custom command, for a person to see and send; nothing was sent.
 *
 * `pasted`: what of it is the file's, in UTF-16 units; it goes with the prompt. `remarks`: what of
 * the file has no effect, for people.
 */
export interface CustomExpandResult {
  text: string;
  pasted: [number, number][];
  remarks?: string[];
}

export type CustomKind = "command" | "agent";

/** The session whose folder's custom commands and agents are meant. */
export interface CustomOwner {
  sessionId: string;
}

/** All custom commands and agents; those of the folder only while it is trusted. */
export interface CustomResult {
  commands: CustomCommand[];
  agents?: CustomAgent[];
}

export type CustomSource = "person" | "folder";

/** The switch of one; it holds in all sessions of the folder, also in later ones. */
export interface CustomSwitch {
  sessionId: string;
  kind: CustomKind;
  name: string;
  enabled: boolean;
}

export type Detail = "list" | "detail";

/** The server's state for a status bar; `command` is the id of a command that helps. */
export interface DidChangeStatusParams {
  kind: StatusKind | (string & Record<never, never>);
  message: string;
  command?: string;
}

/** A folder is now trusted, or no longer is. */
export interface DidChangeTrustParams {
  workspaceFolder: string;
  trusted: boolean;
}

/** A reduction of a session; `editId` is the id of its receipt. */
export interface EditParams {
  sessionId: string;
  editId: string;
}

/** A problem; `severity` is LSP's: 1 error, 2 warning, 3 information, 4 hint. */
export interface EditorDiagnostic {
  range: Range;
  severity?: number;
  message: string;
  source?: string;
  code?: string | number;
}

/**
 * The files to look at, without `uris` the whole folder.
 *
 * With `changed` the files were just changed: the answer waits until they have been looked at
 * anew, at most `waitSeconds`.
 */
export interface EditorDiagnosticsParams {
  workspaceFolder: string;
  uris?: string[];
  changed?: boolean;
  waitSeconds?: number;
}

/** The files that were looked at; one that is left out is not known. */
export interface EditorDiagnosticsResult {
  files?: EditorFileDiagnostics[];
}

/** The problems of a file that was looked at, maybe none. */
export interface EditorFileDiagnostics {
  uri: string;
  diagnostics: EditorDiagnostic[];
}

/** All edits of a file. */
export interface EditorFileEdits {
  uri: string;
  edits: EditorTextEdit[];
}

/** The places; none where no language extension knows any. */
export interface EditorLocationsResult {
  locations?: Location[];
}

/** A place in a file; `character` counts UTF-16 units whatever was negotiated. */
export interface EditorPositionParams {
  uri: string;
  position: Position;
}

/** A place in a file where a name stands, and the new name; nothing is to be changed yet. */
export interface EditorRenameParams {
  uri: string;
  position: Position;
  newName: string;
}

/**
 * What would change; no files where no language extension can rename.
 *
 * `otherChanges` counts files that would be made, moved or deleted: then nothing is renamed.
 */
export interface EditorRenameResult {
  files?: EditorFileEdits[];
  positionEncoding?: PositionEncoding;
  otherChanges?: number;
}

/**
 * A symbol; `kind` is LSP's SymbolKind, `range` all of it, `selectionRange` its name.
 *
 * The `uri` may be left out in the outline of a file. `children` stand inside of it.
 */
export interface EditorSymbol {
  name: string;
  kind: number;
  uri?: string;
  range: Range;
  selectionRange?: Range;
  containerName?: string;
  children?: EditorSymbol[];
}

/** The file of an outline, or what names of symbols of the folder must match (`query`). */
export interface EditorSymbolsParams {
  workspaceFolder?: string;
  uri?: string;
  query?: string;
}

/** The symbols; none where no language extension knows any. */
export interface EditorSymbolsResult {
  symbols?: EditorSymbol[];
}

/** A range of a file that gets another text. */
export interface EditorTextEdit {
  range: Range;
  newText: string;
}

/** An object without fields: params of a request that needs none, or a result: it is done. */
export type Empty = Record<string, never>;

/** An instruction that is not carried on, and the later one that ended it. */
export interface EndedConstraint {
  constraint: string;
  endedBy: string;
}

/** `data` of a domain failure; `kind` is stable, `remedy` says what to do. */
export interface ErrorData {
  kind: string;
  remedy?: string;
  fix?: Fix;
  heldBy?: string;
  needsTokens?: number;
  items?: ItemTokens[];
  retryAfterSeconds?: number;
  couldFree?: number;
  known?: string;
  now?: string;
}

/** A text that an editor shows and that is no file's: its problems, the output of a terminal. */
export interface ExcerptPart {
  type: "excerpt";
  title: string;
  text: string;
}

/**
 * The error by which a turn ended; `known` and `now` are there for `addressChanged`.
 *
 * `item`: the item of the context of which a refusal speaks; without it the request may pass.
 */
export interface Failure {
  kind: string;
  message: string;
  remedy?: string;
  fix?: Fix;
  known?: string;
  now?: string;
  item?: string;
}

/** A file that stays as it is although hunks of it were to be undone, and why. */
export interface FileNotUndone {
  uri: string;
  why: string;
}

/**
 * A file, or its lines in `range`; the server reads it when it accepts the prompt.
 *
 * Of a folder of the workspace it lists the files, with the first lines of some.
 */
export interface FilePart {
  type: "file";
  uri: string;
  range?: Range;
}

/**
 * What became of a file that the agent had changed.
 *
 * `why` tells why a file was left as it is. Of one that was put back it tells why it may not be as
 * it was at the message: somebody may have changed it before the agent's first edit.
 */
export interface FileResult {
  uri: string;
  action: "restored" | "removed" | "left";
  why?: string;
}

/** A workspace file: its whole size in tokens, and the part that is in the request. */
export interface FileTokens {
  path: string;
  rawTokens: number;
  injectedTokens: number;
}

/**
 * What is to be put right, for a client that says itself how that is done there.
 *
 * `variable` is where the server looks for the key, `address` the one that was probably meant,
 * `setting` the one to change, as `model.base_url`; `advice` is the part of the remedy that names
 * none of them.
 */
export interface Fix {
  kind: FixKind | (string & Record<never, never>);
  variable?: string;
  address?: string;
  setting?: string;
  advice?: string;
}

export type FixKind = "key" | "address" | "model" | "window" | "account" | "setting";

export type HeldBack = "files" | "network";

export type HookDecision = "deny" | "ask" | "changed" | "block" | "postpone" | "said" | "failed";

/**
 * A hook of the person's has run: the beginning of its command, and what it decided.
 *
 * `said`: it only had words for the model; `failed`: it did not work and decided nothing. The
 * `turnId` is empty where it ran for no turn.
 */
export interface HookRan {
  kind: "hook";
  turnId: string;
  event: string;
  name: string;
  decision?: HookDecision | (string & Record<never, never>);
  milliseconds: number;
}

/**
 * The hunks that a person chooses: by their ids, all of a file, or without `uri` all there are.
 *
 * An id that is not there any more is left out: its lines have changed since.
 */
export interface HunkChoice {
  sessionId: string;
  uri?: string;
  hunkIds?: string[];
}

/** The session whose changes the request is about. */
export interface HunkOwner {
  sessionId: string;
}

/** The hunks of a file, in the order of its lines. */
export interface HunksOfFile {
  uri: string;
  hunks: MadeHunk[];
}

/** The hunks that are left now; `left` names files of which nothing could be undone. */
export interface HunksResult {
  files: HunksOfFile[];
  left?: FileNotUndone[];
}

/**
 * An image: PNG, JPEG, GIF or WebP, at most 3,750,000 bytes; `data` is base64.
 *
 * A prompt with one is refused where the model is known to see none.
 */
export interface ImagePart {
  type: "image";
  mimeType: string;
  data: string;
}

export type ImportOutcome = "followed" | "missing" | "refused" | "outside" | "met" | "tooDeep" | "tooMany";

/** Why a request cannot fit: it is `needsTokens` too large; `items` are the largest in it. */
export interface Infeasible {
  needsTokens: number;
  items: ItemTokens[];
}

/** `initializationOptions` of LSP's `initialize`. */
export interface InitializationOptions {
  plimsoll?: PlimsollOptions;
}

export type ItemKind = "system" | "instructions" | "memories" | "recall" | "pins" | "tasks" | "tools" | "summary" | "decisions" | "user" | "assistant" | "reasoning" | "toolResults" | "attachments" | "draft";

/**
 * The document that an item's text comes from; `version` is the SHA-256 of what was read.
 *
 * `stale` says that the document has changed since.
 */
export interface ItemSource {
  uri: string;
  range?: Range;
  version?: string;
  stale: boolean;
}

export type ItemState = "verbatim" | "truncated" | "referred" | "superseded" | "pruned" | "summarised" | "evicted" | "trimmed";

/** An item of the context with its title and its tokens. */
export interface ItemTokens {
  id: string;
  title: string;
  tokens: number;
}

/** Items of a session's context. */
export interface ItemsParams {
  sessionId: string;
  itemIds: string[];
}

/** A folder of which something is kept; counts are left out if its database cannot be read. */
export interface KeptFolder {
  path: string;
  sessions?: number;
  memories?: number;
  pins?: number;
  files: number;
  bytes: number;
}

/** The provider's figures for the last request, beside our own count of it. */
export interface LastMeasured {
  requestId: string;
  inputTokens: number;
  cachedTokens?: number;
  ourCount: number;
}

export type LastingKind = "command" | "firstWords" | "edits" | "tool";

/**
 * What is always allowed in a folder; its number is never used again there.
 *
 * `what` names it and `covers` says how far it reaches, both in words for people. A `command` runs
 * unasked in exactly its words, `firstWords` with what may follow them, `edits` below a
 * folder, `tool` a tool of an MCP server.
 */
export interface LastingPermission {
  number: number;
  kind: LastingKind | (string & Record<never, never>);
  what: string;
  covers: string;
  at: string;
}

/** A file, or a range of it. */
export interface Location {
  uri: string;
  range?: Range;
}

/** The path of the log file, which all processes share; it is made with its first record. */
export interface LogStatus {
  path: string;
}

/**
 * Names, instructions and tasks of the reduced items that are nowhere in view any more.
 *
 * The names that were used most come first, and of the instructions those that would have stayed
 * longest. `identifiersTotal` and `constraintsTotal` count those that are not listed too.
 * `ended`: those that a later one ended; `plimsoll/context/restoreRule` takes that back.
 */
export interface Lost {
  identifiers: string[];
  constraints: string[];
  tasks: string[];
  identifiersTotal?: number;
  constraintsTotal?: number;
  ended?: EndedConstraint[];
}

/**
 * A protected file or folder that a command made, and that is aside until a person keeps it.
 *
 * `path` is below the workspace, a folder's with a slash at its end; `diff` shows what is in it,
 * all of it if `whole`; `why` says why its name is protected.
 */
export interface MadeFile {
  path: string;
  why: string;
  diff: string;
  whole: boolean;
}

/**
 * Lines that the agent wrote and nobody has kept, undone or edited.
 *
 * `range` begins and ends at the beginning of a line of the text as it is; it is empty where lines
 * were only taken out. `oldText` is what an undo brings back there, hidden characters as escapes.
 */
export interface MadeHunk {
  id: string;
  range: Range;
  oldText: string;
}

/** Text for a person, in Markdown. */
export interface MarkdownResult {
  markdown: string;
}

/**
 * A server as the person types it: `command`, the program with its arguments, or `url`.
 *
 * `${NAME}` in a text stands for a variable of the server's environment; a secret is always given
 * so. `clientId` and `clientSecret` are of an app that the person registered for logins at `url`.
 */
export interface McpAddParams {
  sessionId: string;
  name: string;
  command?: string[];
  env?: Record<string, unknown>;
  url?: string;
  headers?: Record<string, unknown>;
  clientId?: string;
  clientSecret?: string;
}

/** The folder one of whose servers has another state, or offers something else. */
export interface McpDidChangeParams {
  workspaceFolder: string;
}

/** A file in which an editor or another agent keeps servers; `error` why it is not read. */
export interface McpFoundFile {
  path: string;
  servers: McpFoundServer[];
  error?: string;
}

/** The files that are there. */
export interface McpFoundResult {
  files: McpFoundFile[];
}

/**
 * A server in another program's file.
 *
 * `runs` is what would be started or reached, none if it cannot be taken over; `notes` say what
 * is different here. `known`: one of this name is configured.
 */
export interface McpFoundServer {
  name: string;
  runs?: string;
  notes: string[];
  known: boolean;
}

/** A prompt, sent as `/server:name`; `hint`: its arguments, as a person writes them. */
export interface McpOfferedPrompt {
  name: string;
  description?: string;
  hint?: string;
}

/** A resource that a message names as `@server:uri`. */
export interface McpOfferedResource {
  uri: string;
  name?: string;
  description?: string;
}

/** What a message can name of a server, at most 100 of each; descriptions are cut. */
export interface McpOffers {
  prompts: McpOfferedPrompt[];
  resources: McpOfferedResource[];
}

/** The session whose folder's servers are meant. */
export interface McpOwner {
  sessionId: string;
}

/**
 * A server that the person configured.
 *
 * `runs` is the program with its arguments, or the address, without secrets; `tools` what it
 * offered when it was last asked; `tokens` what it takes of each request; `missing` the variables
 * that are still to be set; `signsIn`: it is reached at an address, and can ask for a login;
 * `offers` its prompts and resources for completion, none for a server that is off.
 */
export interface McpServer {
  name: string;
  state: McpState | (string & Record<never, never>);
  runs: string;
  tools: McpTool[];
  prompts: number;
  resources: number;
  tokens: number;
  missing?: string[];
  signsIn: boolean;
  offers?: McpOffers;
  error?: string;
  remedy?: string;
}

/** A server of the folder, by its name. */
export interface McpServerOwner {
  sessionId: string;
  server: string;
}

/** The switch of a server, which holds for the person in every folder. */
export interface McpServerSwitch {
  sessionId: string;
  server: string;
  enabled: boolean;
}

/** The servers by name, and why none can be used, if the library for it is not installed. */
export interface McpServersResult {
  servers: McpServer[];
  unusable?: string;
}

export type McpState = "idle" | "starting" | "ready" | "failed" | "signIn" | "off";

/** Servers of another program's file, which the person has seen and wants. */
export interface McpTakeOverParams {
  sessionId: string;
  path: string;
  servers: string[];
}

/** A tool of a server; the server `claimsReading`: it says that it changes nothing. */
export interface McpTool {
  name: string;
  description: string;
  enabled: boolean;
  claimsReading: boolean;
}

/** The switch of a tool, by the name that its server gives it. */
export interface McpToolSwitch {
  sessionId: string;
  server: string;
  enabled: boolean;
  tool: string;
}

/**
 * Memories; a search gives the best first, with `score`.
 *
 * `nextCursor` is there when a list goes on.
 */
export interface MemoriesResult {
  memories: Memory[];
  nextCursor?: string;
}

/**
 * A memory; times are RFC 3339 UTC, `score` is there in a search.
 *
 * `digest` marks one that was kept from the log of an earlier session. `importance` is 1 to 5; one
 * that has none counts as 3. The scopes `mine` and `team` have effect in a folder that takes part
 * in a team's project; memories of type `user` and `feedback` are never `team`. One that waits and
 * `supersedes` another suggests to take its place, or with `removal` to have it forgotten:
 * `superseded` is what that one says now. `authorName` is the colleague who shared it and `seenAt`
 * when it was last seen at the team's server; with `pendingSync` a change of it waits to be sent.
 */
export interface Memory {
  id: string;
  type: MemoryType | (string & Record<never, never>);
  class: MemoryClass | (string & Record<never, never>);
  title: string;
  content: string;
  pinned: boolean;
  author: MemoryAuthor | (string & Record<never, never>);
  trust: MemoryTrust | (string & Record<never, never>);
  state: MemoryState | (string & Record<never, never>);
  source?: MemorySource;
  createdAt: string;
  lastUsedAt?: string;
  timesUsed: number;
  expiresAt?: string;
  supersedes?: string;
  digest?: boolean;
  scope: MemoryScope | (string & Record<never, never>);
  importance?: number;
  tags?: string[];
  removal?: boolean;
  superseded?: MemoryText;
  authorName?: string;
  seenAt?: string;
  pendingSync?: boolean;
  score?: number;
}

/** The memory to add; if its `source` is a file, it goes stale when the file changes. */
export interface MemoryAddParams {
  workspaceFolder: string;
  type: MemoryType;
  title: string;
  content: string;
  class?: MemoryClass;
  pinned?: boolean;
  expiresAt?: string;
  source?: MemoryFile;
  scope?: MemoryScope;
  importance?: number;
  tags?: string[];
}

/** The memory whose history to list; without an id, the history of all in the folder. */
export interface MemoryAuditParams {
  workspaceFolder: string;
  memoryId?: string;
}

/** Changes of memories, oldest first. */
export interface MemoryAuditResult {
  events: MemoryEvent[];
}

export type MemoryAuthor = "user" | "agent" | "extraction";

export type MemoryClass = "priority" | "durable" | "working";

/** The memories of a folder changed; `inboxCount` of them wait for a review. */
export interface MemoryDidChangeParams {
  workspaceFolder: string;
  inboxCount: number;
}

/** A change of a memory; `at` is RFC 3339 UTC. */
export interface MemoryEvent {
  at: string;
  memoryId: string;
  action: string;
  author: MemoryAuthor | (string & Record<never, never>);
  reason?: string;
}

/** The file that a memory was taken from; the server notes its hash. */
export interface MemoryFile {
  uri: string;
}

/** The memory to forget; `purge` removes its text for good. */
export interface MemoryForgetParams {
  memoryId: string;
  purge?: boolean;
}

/** The Markdown of an export to take in, and the URI of its file. */
export interface MemoryImportParams {
  workspaceFolder: string;
  markdown: string;
  uri?: string;
}

/** Memories that wait in the inbox now, and those that were known, refused or found it full. */
export interface MemoryImportResult {
  waiting: number;
  leftOut: number;
}

/**
 * Which memories to list; `inbox` true: those that wait for a review, false: the others.
 *
 * With a `limit` they come in parts: `cursor` is `nextCursor` of the part before.
 */
export interface MemoryListParams {
  workspaceFolder: string;
  type?: MemoryType;
  class?: MemoryClass;
  inbox?: boolean;
  cursor?: string;
  limit?: number;
}

/** The memory that the request is about. */
export interface MemoryParams {
  memoryId: string;
}

/** The memory as it is now. */
export interface MemoryResult {
  memory: Memory;
}

/** The verdict on a memory of the inbox. */
export interface MemoryReviewParams {
  memoryId: string;
  accept: boolean;
}

/** The memory, when it was accepted. */
export interface MemoryReviewResult {
  memory?: Memory;
}

export type MemoryScope = "private" | "mine" | "team";

/** The words to search for, and how many memories to return. */
export interface MemorySearchParams {
  workspaceFolder: string;
  query: string;
  limit?: number;
}

/** The memory to share, and with whom: the team, unless a `scope` says otherwise. */
export interface MemoryShareParams {
  memoryId: string;
  scope?: MemoryScope;
}

/** The origin of a memory: a message of a session, or a file with the hash it had. */
export interface MemorySource {
  sessionId?: string;
  messageId?: string;
  uri?: string;
  sha256?: string;
}

export type MemoryState = "active" | "inbox" | "stale";

/** What a memory says. */
export interface MemoryText {
  title: string;
  content: string;
}

export type MemoryTrust = "user" | "agent" | "extracted" | "team";

export type MemoryType = "user" | "feedback" | "project" | "decision" | "reference" | "procedure";

/** The fields to change; those left out stay, and `expiresAt: null` removes the date. */
export interface MemoryUpdateParams {
  memoryId: string;
  type?: MemoryType;
  class?: MemoryClass;
  title?: string;
  content?: string;
  pinned?: boolean;
  scope?: MemoryScope;
  importance?: number;
  tags?: string[];
  expiresAt?: string | null;
}

/** A message is complete and stands in the log. */
export interface MessageAdded {
  kind: "message";
  message: MessageView;
}

/**
 * One item of a message, as a chat shows it; `failed` marks a result that is an error.
 *
 * `exitCode` and `milliseconds` are those of the command whose result it is, `counts` how much a
 * search found or a read brought. `attached` names what went along with a prompt, as
 * `src/a.py:3-5`; written words have none.
 */
export interface MessagePart {
  itemId: string;
  type: PartType | (string & Record<never, never>);
  text?: string;
  toolCall?: ToolCall;
  state: ItemState | (string & Record<never, never>);
  failed?: boolean;
  exitCode?: number;
  milliseconds?: number;
  counts?: Counts;
  attached?: string;
}

/**
 * A message as a chat shows it; `at` is RFC 3339 UTC.
 *
 * `origin` tells where it comes from: the person, the editor's own agent, an import, a subagent.
 */
export interface MessageView {
  id: string;
  role: Role | (string & Record<never, never>);
  turnId: string;
  at: string;
  parts: MessagePart[];
  origin?: Origin | (string & Record<never, never>);
}

/**
 * The load of the next request, in tokens, by our own count.
 *
 * `sum(parts.tokens) == used` and `percent == 100 * used / effective`. `windowSource` says who
 * says how large the window is; `learned`: the server, as it refused or cut a request.
 */
export interface Meter {
  sessionId: string;
  used: number;
  window: number;
  windowSource?: WindowSource | (string & Record<never, never>);
  effective: number;
  reservedOutput: number;
  percent: number;
  zone: Zone | (string & Record<never, never>);
  basis: Basis | (string & Record<never, never>);
  marginTokens: number;
  thresholds: Thresholds;
  parts: MeterPart[];
  turnsLeft?: number;
  lastMeasured?: LastMeasured;
}

/** The tokens of all items of one kind. */
export interface MeterPart {
  kind: ItemKind | (string & Record<never, never>);
  tokens: number;
}

export type MissCause = "first" | "model" | "expired" | "rewritten" | "unknown";

export type Mode = "edit" | "plan" | "ask";

/** Whether the addresses are asked; without that the answer is what they listed last. */
export interface ModelConnectedParams {
  ask?: boolean;
}

/** The models of all addresses that were ever connected, the one used last first. */
export interface ModelConnectedResult {
  models: ConnectedModel[];
  addresses: ConnectedAddress[];
}

/** An address that is to leave the list; `baseUrl` left out: the vendor's own. */
export interface ModelForgetParams {
  provider: string;
  baseUrl?: string;
}

/** An address; left out: that of the model that is set. */
export interface ModelListParams {
  provider?: string;
  baseUrl?: string;
}

/** The models that the server lists, in its order. */
export interface ModelListResult {
  models: OfferedModel[];
}

/** A provider's key from the client's secret store; the server keeps it in memory alone. */
export interface ModelSetKeyParams {
  provider: string;
  key: string;
  baseUrl?: string;
}

/** A model at an address; what is left out is as it is set. */
export interface ModelTestParams {
  provider?: string;
  baseUrl?: string;
  model?: string;
}

/** What one small request showed; where `ok` is false, `error` says why and what to do. */
export interface ModelTestResult {
  ok: boolean;
  error?: Failure;
  firstTokenSeconds?: number;
  streamed?: boolean;
  tools?: boolean;
  usage?: TestedUsage;
}

/** A section of the system text, or the schema of a tool, with its tokens. */
export interface NamedTokens {
  name: string;
  tokens: number;
}

/**
 * A message of the server, not of the model; `data` is the result of a command.
 *
 * Where the text names settings between backticks, as `model.context_window`, `data.settings`
 * lists them: a client can show its own names and link them. `data.undo` is the `editId` by which
 * the rewind that it tells of can be undone. `command` is the slash command that it answers, as it
 * was typed.
 */
export interface Notice {
  kind: "notice";
  turnId?: string;
  markdown: string;
  level: NoticeLevel | (string & Record<never, never>);
  data?: unknown;
  command?: string;
}

export type NoticeLevel = "info" | "warning" | "error";

/** A model at an address; its window is known from the server or from the table of models. */
export interface OfferedModel {
  name: string;
  contextWindow?: number;
  windowSource?: OfferedWindowSource | (string & Record<never, never>);
}

export type OfferedWindowSource = "server" | "table";

export type Origin = "person" | "editor" | "import" | "subagent";

export type PartType = "text" | "reasoning" | "toolCall" | "toolResult" | "image" | "notice";

/**
 * A request to the model, by the log; what an older log does not say is absent.
 *
 * `tokens` is our own count, where there is one; `inputTokens`, `cachedTokens` and `outputTokens`
 * are the provider's. `effective` is what it could have carried. `reductions` are the receipts of
 * what was reduced since the request before it. Where a provider has reported no cache, no `miss`.
 */
export interface PastRequest {
  turn: number;
  at: string;
  model: string;
  tokens: number;
  inputTokens?: number;
  cachedTokens?: number;
  outputTokens?: number;
  effective?: number;
  reductions?: string[];
  miss?: CacheMiss;
}

export type PermissionKind = "allowOnce" | "allowSession" | "allowAlways" | "rejectOnce" | "rejectSession";

/** An answer that a person can give to a permission request; `scope` says what it covers. */
export interface PermissionOption {
  optionId: string;
  name: string;
  kind: PermissionKind | (string & Record<never, never>);
  scope?: string;
}

export type PermissionOutcome = "selected" | "cancelled";

/** The session or the workspace folder whose permissions the request is about. */
export interface PermissionOwner {
  sessionId?: string;
  workspaceFolder?: string;
}

/** The permission to take back, by its number. */
export interface PermissionRemoveParams {
  sessionId?: string;
  workspaceFolder?: string;
  number: number;
}

/** What is asked about again. */
export interface PermissionResult {
  permission: LastingPermission;
}

/** What is always allowed, by number; `note` says where that counts. */
export interface PermissionsResult {
  permissions: LastingPermission[];
  note: string;
}

/**
 * A pin; its number is never used again in its session, or, if listed for a folder, there.
 *
 * One of the scope `mine` or `team` is a pin of the folder that the person's other machines, or
 * the team, have too. `authorName` is the colleague who shared it.
 */
export interface Pin {
  id: string;
  number: number;
  text: string;
  scope: PinScope | (string & Record<never, never>);
  tokens: number;
  itemId?: string;
  authorName?: string;
}

/** The text or the item to pin; in the folder if no session is named. */
export interface PinAddParams {
  sessionId?: string;
  workspaceFolder?: string;
  text?: string;
  itemId?: string;
  scope?: PinScope;
}

/** The pins, numbered from 1. */
export interface PinListResult {
  pins: Pin[];
}

/** The session or the workspace folder whose pins the request is about. */
export interface PinOwner {
  sessionId?: string;
  workspaceFolder?: string;
}

/** The pin to remove, by id, or by its number in a session or folder. */
export interface PinRemoveParams {
  pinId?: string;
  number?: number;
  sessionId?: string;
  workspaceFolder?: string;
}

/** The new pin. */
export interface PinResult {
  pin: Pin;
}

export type PinScope = "session" | "workspace" | "mine" | "team";

/**
 * Abilities of the client; those left out are taken as false.
 *
 * `editorKnowledge`: it answers `plimsoll/editor/…`, within a few seconds.
 * `plans`: a person can edit a plan there before they accept it.
 * `presence`: it answers `plimsoll/window/present` as long as its window is there, and only then.
 * `team`: it shows what `plimsoll/team/didChange` says of a team's server; without it that comes
 * as `plimsoll/didChangeStatus`.
 */
export interface PlimsollClientCapabilities {
  sessionUpdates?: boolean;
  permission?: boolean;
  lenses?: boolean;
  editorKnowledge?: boolean;
  plans?: boolean;
  presence?: boolean;
  team?: boolean;
}

/**
 * `initializationOptions.plimsoll`; a folder is trusted only when `trusted` says so.
 *
 * With a `windowName`, a session that is open here is written here alone: another process with a
 * `windowName` shows it with that name in `heldBy`. Without one, sessions are shared.
 * `token`: `serve --tcp` alone asks for it. It stands in the file that the server names on its
 * standard error; without it `initialize` is refused (`tokenRefused`) and the connection ends.
 */
export interface PlimsollOptions {
  protocolVersion: number;
  capabilities?: PlimsollClientCapabilities;
  settings?: Record<string, unknown>;
  trusted?: boolean;
  ripgrepPath?: string;
  resume?: string;
  windowName?: string;
  token?: string;
}

/** `capabilities.experimental.plimsoll`: the version, the methods and the commands. */
export interface PlimsollServerCapabilities {
  protocolVersion: number;
  methods: string[];
  commands: string[];
  session?: SessionInfo;
}

/** A place in a document: line and character from 0, in UTF-16 units unless negotiated. */
export interface Position {
  line: number;
  character: number;
}

export type PositionEncoding = "utf-8" | "utf-16" | "utf-32";

export type Postponement = "later" | "session";

/** The folder, and `fromPath`, the URI from which it was moved and whose store it takes over. */
export interface ProjectLinkParams {
  workspaceFolder: string;
  fromPath: string;
}

/**
 * One place of a proposed change: the lines that go, and the text that comes there.
 *
 * `range` begins and ends at the beginning of a line of the text as it is; it is empty where
 * lines are added alone. Hidden characters of `newText` are escapes, as in the diff.
 */
export interface ProposedHunk {
  range: Range;
  newText: string;
}

export type Purpose = "turn" | "compaction" | "extraction" | "subagent" | "commitMessage";

/**
 * The queue has changed: `entries` is all that stands in it, in the order of its time.
 *
 * `said` of those that were there are said now, as the `message` before, and durable. `returned`
 * were given back since the turn was cancelled or failed; a client puts them into its composer.
 * The queue stands in memory alone: until one of both lists names a prompt, the client keeps its
 * text, and puts it back when the server ends without a word.
 */
export interface Queued {
  kind: "queued";
  entries: QueuedPrompt[];
  said?: string[];
  returned?: QueuedPrompt[];
}

/** A prompt that waits for its time; `content` is what was sent. */
export interface QueuedPrompt {
  queuedId: string;
  when: When | (string & Record<never, never>);
  content: ContentPart[];
}

/** A range of a document; the end is exclusive. */
export interface Range {
  start: Position;
  end: Position;
}

/**
 * A message as a model sees it; snake_case names are taken on input too.
 *
 * `exitCode` is there in the result of a command that has ended.
 */
export interface RawMessage {
  id?: string;
  itemIds?: string[];
  role: Role;
  content: string | ContentPart[];
  reasoning?: string;
  toolCalls?: RawToolCall[];
  toolCallId?: string;
  name?: string;
  exitCode?: number;
}

/**
 * A tool call as the model made it.
 *
 * `arguments` is always an object. If the model sent anything else, it is empty and
 * `rawArguments` holds the text that was sent.
 */
export interface RawToolCall {
  id: string;
  name: string;
  arguments: Record<string, unknown>;
  rawArguments?: string;
}

/** More reasoning of a message. */
export interface ReasoningDelta {
  kind: "reasoningDelta";
  turnId: string;
  messageId: string;
  text: string;
}

/**
 * One reduction by one stage: what left, what it cost, where it still is; `id` is the `editId`.
 *
 * `prefixRewritten` counts the tokens of the prefix that no longer match the provider's cache,
 * `expired` says that a whole text is no longer kept.
 */
export interface Receipt {
  id: string;
  stage: StageName | (string & Record<never, never>);
  status: ReceiptStatus | (string & Record<never, never>);
  at: string;
  why: string;
  tokensBefore: number;
  tokensAfter: number;
  items: ReceiptItem[];
  lost: Lost;
  undone: boolean;
  expired?: boolean;
  model?: string;
  tokensSpent?: number;
  prefixRewritten: number;
  infeasible?: Infeasible;
}

/** An item that a reduction changed; `where` says where its whole text can be had. */
export interface ReceiptItem {
  id: string;
  title: string;
  tokens: number;
  where: string;
}

/**
 * The receipt of a reduction that was made, or that would be made.
 *
 * `missed`: what the checks of a model's summary object to in the one that was given.
 */
export interface ReceiptResult {
  receipt: Receipt;
  missed?: string[];
}

export type ReceiptStatus = "planned" | "inProgress" | "completed" | "failed" | "cancelled";

/** Reductions of one stage, and the tokens that they freed. */
export interface ReductionCounter {
  stage: StageName | (string & Record<never, never>);
  times: number;
  tokens: number;
}

/** A stage reduced the context. */
export interface ReductionMade {
  kind: "reduction";
  receipt: Receipt;
}

/** An automatic compaction is near, in about `inTurns` turns; `context/postpone` answers it. */
export interface ReductionPlanned {
  kind: "reductionPlanned";
  receipt: Receipt;
  inTurns?: number;
}

export type RejectedBy = "person" | "earlier" | "nobody";

/** Who declined a call: a person now, one earlier in the session, or nobody as none answered. */
export interface Rejection {
  by: RejectedBy | (string & Record<never, never>);
  reason?: string;
}

/** Requests for one purpose to one model, and their tokens as told; `cached` is of `input`. */
export interface RequestCounter {
  model: string;
  purpose: Purpose | (string & Record<never, never>);
  requests: number;
  failed: number;
  input: number;
  cached: number;
  output: number;
}

/** The call that wants to run, and the answers to choose from. */
export interface RequestPermissionParams {
  sessionId: string;
  turnId: string;
  toolCall: ToolCall;
  options: PermissionOption[];
}

/**
 * The answer: anything but a selected option that allows is a rejection.
 *
 * `editedPlan` is a plan as the person changed it before they accepted it; it counts for a client
 * with the capability `plans`. `keptFiles` answers a question with `made`: the paths of the files
 * that are kept; without it all of them are.
 */
export interface RequestPermissionResult {
  outcome: PermissionOutcome | (string & Record<never, never>);
  optionId?: string;
  reason?: string;
  editedPlan?: string;
  keptFiles?: string[];
  keptHunks?: number[];
}

export type Role = "system" | "user" | "assistant" | "tool";

/**
 * A standing instruction of a session; its number never changes.
 *
 * `endedBy` has the words of the later one that ended it; without it the instruction holds.
 */
export interface Rule {
  number: number;
  text: string;
  messageId: string;
  endedBy?: string;
}

/** The instruction to let hold again, by its number. */
export interface RuleParams {
  sessionId: string;
  number: number;
}

/** The instruction, which holds now. */
export interface RuleResult {
  rule: Rule;
}

/**
 * A file that a rules file points on to; only the text of one that is `followed` is sent.
 *
 * `refused`: it may not be read. `met`: its text stands there already. `tooDeep`, `tooMany`: more
 * than five files lead on to each other, or more than fifty are named. `tokens`: of its own text.
 */
export interface RulesImport {
  path: string;
  outcome: ImportOutcome | (string & Record<never, never>);
  tokens: number;
}

/** What holds, then what was ended, each in the order in which it was said. */
export interface RulesResult {
  rules: Rule[];
}

export type Rung = "bubblewrap" | "landlock" | "seatbelt" | "none";

/**
 * What commands are kept from on this machine; `unavailable` are the stronger sandboxes.
 *
 * `less` says why that is less than it was on this machine; each command is asked about then.
 */
export interface SandboxStatus {
  confinement: Confinement;
  unavailable: UnavailableRung[];
  less?: string;
}

/** A selection of an editor with its text as it stood when it was sent. */
export interface SelectionPart {
  type: "selection";
  uri: string;
  range: Range;
  text: string;
}

/** A prompt as text; `wait: false` answers on acceptance instead of at the turn's end. */
export interface SendParams {
  text: string;
  wait?: boolean;
  sessionId?: string;
  workspaceFolder?: string;
}

/** Messages of an editor's own agent loop; either all are appended or none. */
export interface SessionAppendParams {
  sessionId: string;
  messages: RawMessage[];
}

/** The ids of the messages, in their order; a message sent twice keeps its id. */
export interface SessionAppendResult {
  messageIds: string[];
}

/** Tells whether a turn ran; sent once nothing of that turn can take effect any more. */
export interface SessionCancelResult {
  cancelled: boolean;
}

/** The session's own data changed; after `/new` and `/resume` it is another session. */
export interface SessionChanged {
  kind: "sessionChanged";
  session: SessionInfo;
}

/** The message that a person may go back to. */
export interface SessionCheckpointParams {
  sessionId: string;
  messageId: string;
}

/** What going back with `restoreFiles` would do, and how many `commands` ran since. */
export interface SessionCheckpointResult {
  files: FileResult[];
  commands: number;
}

/** A session, whose model and limits hold, and how the message begins. */
export interface SessionCommitMessageParams {
  sessionId: string;
  beginning?: string;
}

/** A commit message; `staged` is false where it is for all changes, as nothing is staged. */
export interface SessionCommitMessageResult {
  message: string;
  staged: boolean;
}

/** The usage of a session, a row for each purpose and model, and what it comes to. */
export interface SessionCostResult {
  rows: Usage[];
  total?: Spending;
}

/** The message after which to fork; without one, the end of the session. */
export interface SessionForkParams {
  sessionId: string;
  messageId?: string;
}

/**
 * A session: times are RFC 3339 UTC, `model` is `provider/name`.
 *
 * While `heldBy` names another process, or another machine of the person's, that one writes the
 * session and this server only follows it: what would change it answers `busy`. It is told to
 * clients that give a `windowName`, of the session that is open. With it comes the `state`:
 * whether a turn runs in that process.
 *
 * In a list, `state` says so of every session that is open in this server: a turn runs, or it asks
 * the person something. There `unread` says whether something was said in it since this client
 * showed it, which it does from `session/new` or `session/load` on until it asks for another one
 * so. The server keeps that in memory: what nobody has opened since its start is not unread.
 *
 * In a list, `elsewhere` names the machine of the person's that has the session, which is not
 * here: `session/load` brings it, and answers `storeUnavailable` while the team's server is away.
 *
 * `address` is where its answers come from, by a person's word or as it began; `machine` the id of
 * the machine that alone is meant by it. Without: it was sent nowhere yet.
 *
 * With `agent` it is the session of a subagent of that kind, which `parentId` has called; once a
 * person goes on with it, it is one like others.
 */
export interface SessionInfo {
  id: string;
  title: string;
  workspaceFolder: string;
  mode: Mode | (string & Record<never, never>);
  model: string;
  createdAt: string;
  updatedAt: string;
  turns: number;
  parentId?: string;
  preview: string;
  heldBy?: string;
  state?: "idle" | "running" | "asking";
  agent?: string;
  unread?: boolean;
  address?: string;
  machine?: string;
  elsewhere?: string;
}

/**
 * The folder whose sessions are listed, newest first.
 *
 * With `parentId`: the sessions of the subagents that this one has called, in their order; they
 * stand in no other list.
 */
export interface SessionListParams {
  workspaceFolder: string;
  limit?: number;
  parentId?: string;
}

/** Sessions, newest first, those on the person's other machines among them. */
export interface SessionListResult {
  sessions: SessionInfo[];
}

/** The session to load; without an id, the latest one of the folder. */
export interface SessionLoadParams {
  workspaceFolder: string;
  sessionId?: string;
}

/**
 * The session and its conversation; the next update of it has a `seq` above this one.
 *
 * `shown` are notices, answers of slash commands and failed ends of turns, in their order.
 * `runningTurnId` is the turn that runs in this server, `answer` what it is saying, which is no
 * message yet, `queued` what waits for its end, `tasks` the agent's list.
 */
export interface SessionLoadResult {
  session: SessionInfo;
  messages: MessageView[];
  seq: number;
  shown?: ShownEarlier[];
  runningTurnId?: string;
  answer?: UnfinishedAnswer;
  queued?: QueuedPrompt[];
  tasks?: Task[];
}

/**
 * A session that was found, with what stands around the first of the words.
 *
 * `messageId` and `role` are those of the newest message with all words; where the title has them
 * they are left out. A message that a rewind has hidden is found too.
 */
export interface SessionMatch {
  session: SessionInfo;
  snippet: string;
  messageId?: string;
  role?: string;
}

/** The folder of the new session; mode and model default to the settings. */
export interface SessionNewParams {
  workspaceFolder: string;
  mode?: Mode;
  model?: string;
}

/** The new session; the next update of it has a `seq` above this one. */
export interface SessionNewResult {
  session: SessionInfo;
  seq: number;
}

/** The session that the request is about. */
export interface SessionParams {
  sessionId: string;
}

/** The message of a person whose content is asked for. */
export interface SessionPromptContentParams {
  sessionId: string;
  messageId: string;
}

/**
 * What was sent with it: files by their addresses, images, selections and excerpts whole.
 *
 * What is known to be secret is blanked there, as everywhere in a session.
 */
export interface SessionPromptContentResult {
  content: ContentPart[];
}

/**
 * The prompt; a first text part such as `/compact` is a slash command.
 *
 * `when` says what becomes of it while a turn runs: `steer` goes in before the next model request
 * of that turn, `after` is a turn of its own once that has ended. Without it: `busy`.
 * `acceptAddress` is a person's word that the session may go wherever it is set to go now.
 */
export interface SessionPromptParams {
  sessionId: string;
  content: ContentPart[];
  when?: When;
  acceptAddress?: boolean;
}

/**
 * The turn that was accepted; its progress and its end come as notifications.
 *
 * With `queuedId` the prompt stands in the queue, and `turnId` is the turn that runs.
 */
export interface SessionPromptResult {
  turnId: string;
  queuedId?: string;
}

/** The new title, of one line and at most 200 characters. */
export interface SessionRenameParams {
  sessionId: string;
  title: string;
}

/** The session as it is now. */
export interface SessionResult {
  session: SessionInfo;
}

/**
 * The message to go back to; all that came after it is taken out of view.
 *
 * `restoreFiles`: files that the agent's edits changed since are put back as they were then. Where
 * it is given, true or false, a notice of what was done stands among what `session/load` shows.
 * `before`: the message, which must be a prompt, is taken out of view too.
 */
export interface SessionRewindParams {
  sessionId: string;
  messageId: string;
  restoreFiles?: boolean;
  before?: boolean;
}

/**
 * The session, and the `editId` by which `context/undo` takes the rewind back.
 *
 * Where files were to be put back: what became of each, and how many `commands` ran since, of
 * which nothing is undone. A file that was as it was then already is not named.
 */
export interface SessionRewindResult {
  session: SessionInfo;
  editId: string;
  files?: FileResult[];
  commands?: number;
}

/** The words to find, in any case and order, as parts of words too; at most 20 sessions. */
export interface SessionSearchParams {
  workspaceFolder: string;
  query: string;
  limit?: number;
}

/** What was found, the best first. */
export interface SessionSearchResult {
  matches: SessionMatch[];
}

/** The mode to set; it counts from the next model request on. */
export interface SessionSetModeParams {
  sessionId: string;
  mode: Mode;
}

/** The model to set, as `provider/name`. */
export interface SessionSetModelParams {
  sessionId: string;
  model: string;
}

/** The session with its new model, and the meter against that model's window. */
export interface SessionSetModelResult {
  session: SessionInfo;
  meter: Meter;
}

/** The session, which is written here from now on; updates have a `seq` above this one. */
export interface SessionTakeOverResult {
  session: SessionInfo;
  seq: number;
}

/** The prompt to take back; `queuedNotFound` once it was said or given back. */
export interface SessionUnqueueParams {
  sessionId: string;
  queuedId: string;
}

export type SessionUpdate = TurnStarted | TextDelta | ReasoningDelta | Waiting | ToolCallStarted | ToolCallUpdated | MessageAdded | Notice | TasksChanged | ReductionMade | ReductionPlanned | UsageReported | SessionChanged | TurnEnded | Queued | HookRan;

/** An update of a session; `seq` grows by one for each, a gap means that some were left out. */
export interface SessionUpdateParams {
  sessionId: string;
  seq: number;
  update: SessionUpdate;
}

/** The exact next request, with the edits that the pre-flight would add now in `pending`. */
export interface SessionViewResult {
  messages: RawMessage[];
  tools: ToolSchema[];
  toolChoice: ToolChoice | (string & Record<never, never>);
  meter: Meter;
  pending: Receipt[];
}

/**
 * A notice, or the end of a turn that did not end well, as it was shown at `at`.
 *
 * It stands behind the message `afterMessageId`; without one, before all of them.
 */
export interface ShownEarlier {
  at: string;
  afterMessageId?: string;
  update: Notice | TurnEnded;
}

/**
 * A skill, the person's own or the folder's; `tokens`: of its line in each request.
 *
 * `shortened`: its description is cut there, for all of them take more than 2 % of the window.
 * `asksForTools`: it names tools that shall be allowed, which has no effect.
 */
export interface Skill {
  name: string;
  description: string;
  source: SkillSource | (string & Record<never, never>);
  tokens: number;
  enabled: boolean;
  shortened?: boolean;
  asksForTools?: boolean;
}

/** The session whose folder's skills are meant. */
export interface SkillOwner {
  sessionId: string;
}

export type SkillSource = "person" | "folder";

/** The switch of a skill, which holds in all sessions of the folder, also later ones. */
export interface SkillSwitch {
  sessionId: string;
  name: string;
  enabled: boolean;
}

/** All skills; those of the folder only while it is trusted. */
export interface SkillsResult {
  skills: Skill[];
}

/**
 * A limit that is set: of the session, or of its last turn; `setting` is its name.
 *
 * Tokens, or with the unit `money` US dollars; without `spent` the prices are not known.
 */
export interface SpendLimit {
  scope: SpendScope | (string & Record<never, never>);
  unit: SpendUnit | (string & Record<never, never>);
  most: number;
  spent?: number;
  setting: string;
}

/**
 * What is asked before a limit is passed; `next` is what the next request takes at least.
 *
 * In tokens or, with the unit `money`, in US dollars.
 */
export interface SpendQuestion {
  scope: SpendScope | (string & Record<never, never>);
  unit: SpendUnit | (string & Record<never, never>);
  limit: number;
  spent: number;
  next: number;
}

export type SpendScope = "turn" | "session";

export type SpendUnit = "tokens" | "money";

/**
 * What a session has spent: tokens, `cached` being part of `input`, and US dollars.
 *
 * `money` is an estimate by the vendor's prices; absent: they are not known.
 */
export interface Spending {
  input: number;
  cached: number;
  output: number;
  money?: number;
  limits: SpendLimit[];
}

export type StageName = "truncate" | "refer" | "dedup" | "prune" | "digest" | "compact" | "trim" | "evict" | "restore";

export type StatusKind = "ok" | "busy" | "warning" | "error";

/**
 * The state of the server; `model` is `provider/name`, `sessions` how many the store holds.
 *
 * `profile` is the named set of settings that stands below what the person sets.
 */
export interface StatusResult {
  version: string;
  model: string;
  provider: string;
  store: StoreStatus;
  sessions: number;
  warnings: StatusWarning[];
  sandbox?: SandboxStatus;
  profile?: string;
  log?: LogStatus;
  counters?: Counters;
}

/** Something that needs a person, and what to do about it. */
export interface StatusWarning {
  code: string;
  message: string;
  remedy?: string;
}

export type StopReason = "endTurn" | "maxTokens" | "cancelled" | "contextLimit" | "refused" | "error" | "loop" | "stepLimit" | "spendLimit" | "interrupted" | "rejected";

/** The folder to forget, also one that is gone, or all; nothing goes unless `confirmed`. */
export interface StoreForgetParams {
  workspaceFolder?: string;
  confirmed?: boolean;
}

/** The folders of which something is kept; after `confirmed`, those that were deleted. */
export interface StoreForgetResult {
  kept: KeptFolder[];
}

export type StoreKind = "disk" | "memory" | "damaged";

/** The folder whose store is meant. */
export interface StoreParams {
  workspaceFolder: string;
}

/**
 * The counts of the new store; `lost` entries between others could not be read.
 *
 * `damagedPath` is the folder in which the damaged file is kept as it was; `leftTeam` the project
 * of a team in which the folder takes no part any more.
 */
export interface StoreSalvageResult {
  sessions: number;
  entries: number;
  lost: number;
  memories: number;
  pins: number;
  damagedPath: string;
  leftTeam?: string;
}

/** The path of the store, its size and where sessions are kept: on disk or in `memory`. */
export interface StoreStatus {
  path: string;
  bytes: number;
  kind?: StoreKind | (string & Record<never, never>);
}

export type Strategy = "auto" | "digest" | "model";

/**
 * A summary to be read and edited, for `plimsoll/context/compact` with the same message.
 *
 * `kept` will stand beside it, from the log. It must have fewer than `mostTokens`. `missed`: what
 * the checks of a model's summary object to. Without `model` nobody wrote it: headings alone.
 */
export interface SummaryDraft {
  text: string;
  kept: string;
  untilMessageId: string;
  tokens: number;
  mostTokens: number;
  missed: string[];
  model?: string;
  tokensSpent?: number;
}

/** One task of the agent's list. */
export interface Task {
  title: string;
  status: TaskStatus | (string & Record<never, never>);
  children?: Task[];
}

export type TaskStatus = "pending" | "inProgress" | "completed" | "cancelled";

/** The whole task list of the agent, after a change. */
export interface TasksChanged {
  kind: "tasks";
  tasks: Task[];
}

/** The colleague whose memories take effect from now on without waiting in the inbox. */
export interface TeamAcceptParams {
  workspaceFolder: string;
  author: string;
}

/**
 * The name of the project to make, and the address of the server that is to keep it.
 *
 * `writeFile` also writes `.plimsoll/project`, which suggests the project to colleagues.
 */
export interface TeamCreateParams {
  workspaceFolder: string;
  name: string;
  url?: string;
  writeFile?: boolean;
}

/** The team's state as it is now, of one folder. */
export interface TeamDidChangeParams {
  project?: string;
  url?: string;
  state: TeamState | (string & Record<never, never>);
  role?: string;
  rights?: TeamRights | (string & Record<never, never>);
  since?: string;
  seenAt?: string;
  queued: number;
  message?: string;
  remedy?: string;
  suggested?: TeamSuggestion;
  workspaceFolder: string;
}

/**
 * The project to take part in, and the address of the server that has it.
 *
 * Without `name` it is the one that the person's settings or the folder's own file name, without
 * `url` the server is that of the settings.
 */
export interface TeamJoinParams {
  workspaceFolder: string;
  name?: string;
  url?: string;
}

export type TeamRights = "admin" | "write" | "read";

/** The password for a team's server, from the client's secret store; kept in memory alone. */
export interface TeamSetPasswordParams {
  url: string;
  password: string;
}

/** The address as the server writes it, under which the client's secret store keeps it. */
export interface TeamSetPasswordResult {
  url: string;
}

export type TeamState = "off" | "ok" | "slow" | "readOnly" | "away" | "refused";

/**
 * Whether a folder takes part in a team's project, and how it stands with the team's server.
 *
 * `project` is its name and `url` the address without a password, `role` who one is there. The
 * state holds `since`, and the server was last heard at `seenAt`, both RFC 3339 UTC. `queued`
 * changes wait here until the server has them. `message` is one sentence for the person and
 * `remedy` what to do about it. `suggested` is there while it takes part in none.
 */
export interface TeamStatus {
  project?: string;
  url?: string;
  state: TeamState | (string & Record<never, never>);
  role?: string;
  rights?: TeamRights | (string & Record<never, never>);
  since?: string;
  seenAt?: string;
  queued: number;
  message?: string;
  remedy?: string;
  suggested?: TeamSuggestion;
}

/** The shared project that the folder's own file `.plimsoll/project` names, by its id too. */
export interface TeamSuggestion {
  project: string;
  name: string;
}

/** Tokens that the server reported for the request of a test. */
export interface TestedUsage {
  input: number;
  output: number;
  cached: number;
}

/** More text of a message. */
export interface TextDelta {
  kind: "textDelta";
  turnId: string;
  messageId: string;
  text: string;
}

/**
 * Plain text; `pasted` tells what of it was pasted, from and to in UTF-16 units.
 *
 * With it, an empty list too, all else is what the person typed: rules in it hold at once, and
 * nothing in a paste is the person's word. Without it nobody said, and the looks of the text
 * decide. What is changed of a paste, and what is typed inside one, counts as pasted.
 */
export interface TextPart {
  type: "text";
  text: string;
  pasted?: [number, number][];
}

/** The load in tokens at which each of the three zones begins. */
export interface Thresholds {
  warning: number;
  compact: number;
  blocking: number;
}

/** What a million tokens cost, in US dollars. */
export interface TokenPrices {
  input: number;
  output: number;
}

/**
 * A tool call as a person sees it, in the chat and when it asks for permission.
 *
 * Where a subagent asks, `sessionId` and `turnId` of the question are those of the session that a
 * person began, which shows the call too; the `title` says who asks, and so does `agent`. In
 * `session/load` a call of the tool `subagent` has the `agent` that it began.
 */
export interface ToolCall {
  id: string;
  itemId: string;
  name: string;
  title: string;
  arguments: Record<string, unknown>;
  kind: ToolKind | (string & Record<never, never>);
  detail?: ToolCallDetail;
  locations: Location[];
  agent?: AgentView;
}

/**
 * The exact effect of a call: the command, the unified diff, the address, or the plan's text.
 *
 * `how` says in words how the command is run: `Run with network`. `askedEachTime` says why no
 * answer for the session covers it, `askedAgain` why what was allowed for good does not cover it
 * any more, `confinement` what the command is kept from. With `spend` it is no call of a tool but
 * the question whether more may be spent, and with `addressChange`, of
 * the kind `address`, whether all of the session may be sent elsewhere. With `made` it is the
 * question whether protected files are kept that a command has made; `diff` shows all of them.
 * `hunks` are the places of the change of one file, in order; the answer to the question can keep
 * some of them. Once a part was kept, `diff` is what was made.
 */
export interface ToolCallDetail {
  command?: string;
  how?: string;
  diff?: string;
  address?: string;
  plan?: string;
  askedEachTime?: string;
  askedAgain?: string;
  confinement?: Confinement;
  spend?: SpendQuestion;
  addressChange?: AddressQuestion;
  made?: MadeFile[];
  hunks?: ProposedHunk[];
}

/** The model called a tool. */
export interface ToolCallStarted {
  kind: "toolCall";
  turnId: string;
  toolCall: ToolCall;
}

/**
 * A call has a new status; `output` is for people, `itemId` the item of its result.
 *
 * `heldBack` of a command that failed in its sandbox: what it may have failed to reach, a guess.
 * `rejection` of a call that was rejected: who declined it, and why. `agent` is the subagent that
 * the call began; while that works, `output` is one line on what it does. While a command runs,
 * `output` is its last ten lines so far, at most four times a second. `since` is when the call
 * began to run, RFC 3339 UTC; `exitCode` and `milliseconds` are those of a command that has ended,
 * `counts` how much a search found or a read brought.
 * `keptFiles` are the protected files that a command made and a person kept, `asideFiles` those
 * that nobody kept.
 */
export interface ToolCallUpdated {
  kind: "toolUpdate";
  turnId: string;
  toolCallId: string;
  status: ToolStatus | (string & Record<never, never>);
  output?: string;
  itemId?: string;
  since?: string;
  exitCode?: number;
  milliseconds?: number;
  counts?: Counts;
  heldBack?: HeldBack | (string & Record<never, never>);
  rejection?: Rejection;
  agent?: AgentView;
  keptFiles?: string[];
  asideFiles?: string[];
}

export type ToolChoice = "auto" | "none";

export type ToolKind = "read" | "edit" | "search" | "execute" | "fetch" | "memory" | "other" | "address";

/** A tool as the model is told about it; `parameters` is a JSON Schema. */
export interface ToolSchema {
  name: string;
  description: string;
  parameters: Record<string, unknown>;
}

export type ToolStatus = "pending" | "waiting" | "running" | "completed" | "failed" | "rejected";

/**
 * A turn ended; `error` is there if it failed.
 *
 * Before `loop`, `stepLimit` and `spendLimit` comes a notice that says why and how to go on.
 * Before `rejected` too: the person did not let the session go to another address, so nothing was
 * sent. `interrupted`: its process ended while it ran; only `session/load` says so.
 */
export interface TurnEnded {
  kind: "turnEnded";
  turnId: string;
  stopReason: StopReason | (string & Record<never, never>);
  error?: Failure;
}

/** A turn began. */
export interface TurnStarted {
  kind: "turnStarted";
  turnId: string;
}

/** A sandbox that does not work on this machine, and why. */
export interface UnavailableRung {
  rung: Rung | (string & Record<never, never>);
  why: string;
}

/**
 * What was taken back: a reduction, with its `receipt`, or a rewind, with the `session`.
 *
 * The session is as it is now; `files` are there where undoing the rewind brought files back.
 */
export interface UndoResult {
  receipt?: Receipt;
  session?: SessionInfo;
  files?: FileResult[];
}

/** An answer that is being written: what has come of it; the deltas to come go on from there. */
export interface UnfinishedAnswer {
  turnId: string;
  messageId: string;
  text: string;
  reasoning: string;
}

/**
 * Tokens of model requests for one purpose.
 *
 * Of `input`, `cached` were read from the provider's cache and `written` were written to it;
 * `writtenHour` is the part of `written` that is kept for an hour. Of `input` and `output`
 * together `estimated` are our own count, where nothing was reported that can be right.
 */
export interface Usage {
  purpose: Purpose | (string & Record<never, never>);
  model: string;
  input: number;
  cached: number;
  output: number;
  written?: number;
  writtenHour?: number;
  estimated?: number;
  money?: number;
}

/** What the provider reported for one model request. */
export interface UsageReported {
  purpose: Purpose | (string & Record<never, never>);
  model: string;
  input: number;
  cached: number;
  output: number;
  written?: number;
  writtenHour?: number;
  estimated?: number;
  money?: number;
  kind: "usage";
  turnId: string;
}

/** How often an answer was waited for, for one reason. */
export interface WaitCounter {
  reason: WaitReason | (string & Record<never, never>);
  times: number;
}

export type WaitReason = "connecting" | "loading" | "firstToken" | "rateLimited" | "retrying";

/**
 * Nothing of the answer has come for a while, and why; over with the next of it.
 *
 * `attempt` of `attempts` is the try that comes next, at `retryAt` (RFC 3339, as `since`). The
 * `turnId` is empty where a summary is waited for that was asked for (`/compact`,
 * `plimsoll/context/compact`): it is over with the command or the request.
 */
export interface Waiting {
  kind: "waiting";
  turnId: string;
  model?: string;
  reason: WaitReason | (string & Record<never, never>);
  since: string;
  attempt?: number;
  attempts?: number;
  retryAt?: string;
}

export type When = "steer" | "after";

export type WindowSource = "setting" | "server" | "table" | "learned" | "assumed";

/** The workspace folder that the request is about. */
export interface WorkspaceParams {
  workspaceFolder: string;
}

export type Zone = "ok" | "warning" | "compact" | "blocking" | "infeasible";

export const PROTOCOL_VERSION = 1;

/** What `workspace/executeCommand` offers. */
export const SERVER_COMMANDS = {
  newSession: "plimsoll.server.newSession",
  resumeSession: "plimsoll.server.resumeSession",
  listSessions: "plimsoll.server.listSessions",
  send: "plimsoll.server.send",
  cancel: "plimsoll.server.cancel",
  setMode: "plimsoll.server.setMode",
  setModel: "plimsoll.server.setModel",
  rewind: "plimsoll.server.rewind",
  fork: "plimsoll.server.fork",
  compact: "plimsoll.server.compact",
  previewCompaction: "plimsoll.server.previewCompaction",
  postpone: "plimsoll.server.postpone",
  undo: "plimsoll.server.undo",
  evict: "plimsoll.server.evict",
  restore: "plimsoll.server.restore",
  explain: "plimsoll.server.explain",
  contextReport: "plimsoll.server.contextReport",
  rules: "plimsoll.server.rules",
  restoreRule: "plimsoll.server.restoreRule",
  pin: "plimsoll.server.pin",
  pins: "plimsoll.server.pins",
  unpin: "plimsoll.server.unpin",
  remember: "plimsoll.server.remember",
  memories: "plimsoll.server.memories",
  updateMemory: "plimsoll.server.updateMemory",
  reviewMemory: "plimsoll.server.reviewMemory",
  forget: "plimsoll.server.forget",
  restoreMemory: "plimsoll.server.restoreMemory",
  shareMemory: "plimsoll.server.shareMemory",
  importMemories: "plimsoll.server.importMemories",
  commitMessage: "plimsoll.server.commitMessage",
  cost: "plimsoll.server.cost",
  team: "plimsoll.server.team",
  createTeam: "plimsoll.server.createTeam",
  joinTeam: "plimsoll.server.joinTeam",
  leaveTeam: "plimsoll.server.leaveTeam",
  acceptAuthor: "plimsoll.server.acceptAuthor",
  linkProject: "plimsoll.server.linkProject",
  skills: "plimsoll.server.skills",
  switchSkill: "plimsoll.server.switchSkill",
  custom: "plimsoll.server.custom",
  switchCustom: "plimsoll.server.switchCustom",
  expandCommand: "plimsoll.server.expandCommand",
  hunks: "plimsoll.server.hunks",
  keepHunks: "plimsoll.server.keepHunks",
  undoHunks: "plimsoll.server.undoHunks",
  permissions: "plimsoll.server.permissions",
  removePermission: "plimsoll.server.removePermission",
} as const;

/** A slash command; it is served when its `command` is, or when it has none. */
export interface SlashCommand {
  name: string;
  arguments: string;
  /** Whether it says something without arguments. */
  alone: boolean;
  help: string;
  command?: string;
}

export const SLASH_COMMANDS: readonly SlashCommand[] = [
  { name: "compact", arguments: "[anyway] [instructions]", alone: true, help: "Compact the context now.", command: "plimsoll.server.compact" },
  { name: "undo", arguments: "[ID]", alone: true, help: "Undo the last reduction.", command: "plimsoll.server.undo" },
  { name: "rewind", arguments: "[N] [files]", alone: true, help: "Go back to prompt N, with files as they were then; alone it lists the prompts.", command: "plimsoll.server.rewind" },
  { name: "context", arguments: "list | detail", alone: true, help: "Show what is in the context.", command: "plimsoll.server.contextReport" },
  { name: "view", arguments: "", alone: true, help: "Show the context in a browser." },
  { name: "pin", arguments: "[--workspace] TEXT", alone: false, help: "Pin a text: it is always sent; with --workspace in all sessions.", command: "plimsoll.server.pin" },
  { name: "pins", arguments: "", alone: true, help: "List the pins.", command: "plimsoll.server.pins" },
  { name: "unpin", arguments: "N", alone: false, help: "Remove pin number N.", command: "plimsoll.server.unpin" },
  { name: "remember", arguments: "[--pin] TEXT", alone: false, help: "Add a memory of this project; a pinned one comes first and does not expire.", command: "plimsoll.server.remember" },
  { name: "memories", arguments: "[QUERY]", alone: true, help: "List the memories of this project, or search.", command: "plimsoll.server.memories" },
  { name: "forget", arguments: "[--purge] ID", alone: false, help: "Forget a memory, or remove its text for good.", command: "plimsoll.server.forget" },
  { name: "unforget", arguments: "ID", alone: false, help: "Bring back what was forgotten.", command: "plimsoll.server.restoreMemory" },
  { name: "inbox", arguments: "", alone: true, help: "List the memories that wait for a review.", command: "plimsoll.server.memories" },
  { name: "accept", arguments: "ID", alone: false, help: "Accept a memory of the inbox.", command: "plimsoll.server.reviewMemory" },
  { name: "reject", arguments: "ID", alone: false, help: "Reject a memory of the inbox.", command: "plimsoll.server.reviewMemory" },
  { name: "share", arguments: "ID [WHOM]", alone: false, help: "Share a memory with the team, or say with whom: mine, team or private.", command: "plimsoll.server.shareMemory" },
  { name: "sessions", arguments: "", alone: true, help: "List the sessions of this folder.", command: "plimsoll.server.listSessions" },
  { name: "resume", arguments: "[ID]", alone: true, help: "Load a session, or the latest other one.", command: "plimsoll.server.resumeSession" },
  { name: "new", arguments: "", alone: true, help: "Open a new session.", command: "plimsoll.server.newSession" },
  { name: "mode", arguments: "NAME", alone: false, help: "Set the mode: edit, plan or ask.", command: "plimsoll.server.setMode" },
  { name: "model", arguments: "[NAME]", alone: true, help: "Set the model; alone it lists the connected ones.", command: "plimsoll.server.setModel" },
  { name: "rules", arguments: "[restore N]", alone: true, help: "List your standing instructions and those that later ones ended, or restore one.", command: "plimsoll.server.rules" },
  { name: "skills", arguments: "on NAME | off NAME", alone: true, help: "List the skills, or switch one on or off.", command: "plimsoll.server.skills" },
  { name: "agents", arguments: "on NAME | off NAME", alone: true, help: "List your custom agents, or switch one on or off.", command: "plimsoll.server.custom" },
  { name: "commands", arguments: "on NAME | off NAME", alone: true, help: "List your custom commands, or switch one on or off.", command: "plimsoll.server.custom" },
  { name: "mcp", arguments: "[NAME] | restart NAME | on NAME [TOOL] | off NAME [TOOL]", alone: true, help: "List the MCP servers or what one offers, restart one, or switch one or a tool of it." },
  { name: "permissions", arguments: "[remove N]", alone: true, help: "List what is always allowed in this folder, or take one back.", command: "plimsoll.server.permissions" },
  { name: "profile", arguments: "[NAME]", alone: true, help: "Show the profile of settings, or choose another." },
  { name: "aside", arguments: "", alone: true, help: "List protected files that commands made and nobody kept." },
  { name: "sandbox", arguments: "[accept]", alone: true, help: "Show what commands are kept from, or take a lesser sandbox." },
  { name: "hooks", arguments: "", alone: true, help: "List your hooks and their last runs." },
  { name: "commit-message", arguments: "[BEGINNING]", alone: true, help: "Write a commit message for what is staged.", command: "plimsoll.server.commitMessage" },
  { name: "cost", arguments: "", alone: true, help: "Show what the session used.", command: "plimsoll.server.cost" },
  { name: "help", arguments: "", alone: true, help: "List these commands." },
];
