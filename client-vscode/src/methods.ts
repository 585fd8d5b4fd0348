// Generated from server/plimsoll/lsp/wire by scripts/lib/protocol/generate.py.

import { NotificationType, RequestType } from "vscode-languageserver-protocol";
import type {
  ContextCompactParams,
  ContextDidChangeParams,
  ContextDiffResult,
  ContextDraftSummaryParams,
  ContextExplainParams,
  ContextExportResult,
  ContextImportParams,
  ContextMeterParams,
  ContextOutputParams,
  ContextOutputResult,
  ContextPostponeParams,
  ContextPreviewParams,
  ContextReport,
  ContextReportParams,
  ContextResultParams,
  ContextResultResult,
  CustomExpandParams,
  CustomExpandResult,
  CustomOwner,
  CustomResult,
  CustomSwitch,
  DidChangeStatusParams,
  DidChangeTrustParams,
  EditParams,
  EditorDiagnosticsParams,
  EditorDiagnosticsResult,
  EditorLocationsResult,
  EditorPositionParams,
  EditorRenameParams,
  EditorRenameResult,
  EditorSymbolsParams,
  EditorSymbolsResult,
  Empty,
  HunkChoice,
  HunkOwner,
  HunksResult,
  ItemsParams,
  MarkdownResult,
  McpAddParams,
  McpDidChangeParams,
  McpFoundResult,
  McpOwner,
  McpServerOwner,
  McpServerSwitch,
  McpServersResult,
  McpTakeOverParams,
  McpToolSwitch,
  MemoriesResult,
  MemoryAddParams,
  MemoryAuditParams,
  MemoryAuditResult,
  MemoryDidChangeParams,
  MemoryForgetParams,
  MemoryImportParams,
  MemoryImportResult,
  MemoryListParams,
  MemoryParams,
  MemoryResult,
  MemoryReviewParams,
  MemoryReviewResult,
  MemorySearchParams,
  MemoryShareParams,
  MemoryUpdateParams,
  Meter,
  ModelConnectedParams,
  ModelConnectedResult,
  ModelForgetParams,
  ModelListParams,
  ModelListResult,
  ModelSetKeyParams,
  ModelTestParams,
  ModelTestResult,
  PermissionOwner,
  PermissionRemoveParams,
  PermissionResult,
  PermissionsResult,
  PinAddParams,
  PinListResult,
  PinOwner,
  PinRemoveParams,
  PinResult,
  ProjectLinkParams,
  ReceiptResult,
  RequestPermissionParams,
  RequestPermissionResult,
  RuleParams,
  RuleResult,
  RulesResult,
  SessionAppendParams,
  SessionAppendResult,
  SessionCancelResult,
  SessionCheckpointParams,
  SessionCheckpointResult,
  SessionCommitMessageParams,
  SessionCommitMessageResult,
  SessionCostResult,
  SessionForkParams,
  SessionListParams,
  SessionListResult,
  SessionLoadParams,
  SessionLoadResult,
  SessionNewParams,
  SessionNewResult,
  SessionParams,
  SessionPromptContentParams,
  SessionPromptContentResult,
  SessionPromptParams,
  SessionPromptResult,
  SessionRenameParams,
  SessionResult,
  SessionRewindParams,
  SessionRewindResult,
  SessionSearchParams,
  SessionSearchResult,
  SessionSetModeParams,
  SessionSetModelParams,
  SessionSetModelResult,
  SessionTakeOverResult,
  SessionUnqueueParams,
  SessionUpdateParams,
  SessionViewResult,
  SkillOwner,
  SkillSwitch,
  SkillsResult,
  StatusResult,
  StoreForgetParams,
  StoreForgetResult,
  StoreParams,
  StoreSalvageResult,
  SummaryDraft,
  TeamAcceptParams,
  TeamCreateParams,
  TeamDidChangeParams,
  TeamJoinParams,
  TeamSetPasswordParams,
  TeamSetPasswordResult,
  TeamStatus,
  UndoResult,
  WorkspaceParams,
} from "./protocol";

/** Opens a new session in a folder. */
export const SessionNewRequest = new RequestType<SessionNewParams, SessionNewResult, void>("plimsoll/session/new");

/** Lists the sessions of a folder, newest first. */
export const SessionListRequest = new RequestType<SessionListParams, SessionListResult, void>("plimsoll/session/list");

/** Loads a session with its conversation; without an id, the latest of the folder. */
export const SessionLoadRequest = new RequestType<SessionLoadParams, SessionLoadResult, void>("plimsoll/session/load");

/** Takes over writing a session from another process; `busy` while a turn of it runs. */
export const SessionTakeOverRequest = new RequestType<SessionParams, SessionTakeOverResult, void>("plimsoll/session/takeOver");

/** Deletes a session with its texts; forks keep their copies. */
export const SessionDeleteRequest = new RequestType<SessionParams, Empty, void>("plimsoll/session/delete");

/** Says something to the agent; answers on acceptance, the turn follows as updates. */
export const SessionPromptRequest = new RequestType<SessionPromptParams, SessionPromptResult, void>("plimsoll/session/prompt");

/** Gives back what a person sent with a message, to be changed and sent again. */
export const SessionPromptContentRequest = new RequestType<SessionPromptContentParams, SessionPromptContentResult, void>("plimsoll/session/promptContent");

/** Takes back a prompt that waits for the running turn, before it is said. */
export const SessionUnqueueRequest = new RequestType<SessionUnqueueParams, Empty, void>("plimsoll/session/unqueue");

/** Cancels the running turn; answers when nothing more can take effect. */
export const SessionCancelRequest = new RequestType<SessionParams, SessionCancelResult, void>("plimsoll/session/cancel");

/** Sets what tools may do: `edit` all, `plan` reading only, `ask` none. */
export const SessionSetModeRequest = new RequestType<SessionSetModeParams, SessionResult, void>("plimsoll/session/setMode");

/** Sets the model, as `provider/name`. */
export const SessionSetModelRequest = new RequestType<SessionSetModelParams, SessionSetModelResult, void>("plimsoll/session/setModel");

/** Goes back to a message: what came after goes, reductions too; pins stay. `plimsoll/context/undo` takes the `editId` until something new is said. */
export const SessionRewindRequest = new RequestType<SessionRewindParams, SessionRewindResult, void>("plimsoll/session/rewind");

/** Tells what going back to a message would do to files; changes nothing. */
export const SessionCheckpointRequest = new RequestType<SessionCheckpointParams, SessionCheckpointResult, void>("plimsoll/session/checkpoint");

/** Copies a session, up to a message, into a new one with `parentId`. */
export const SessionForkRequest = new RequestType<SessionForkParams, SessionResult, void>("plimsoll/session/fork");

/** Gives a session another title. */
export const SessionRenameRequest = new RequestType<SessionRenameParams, SessionResult, void>("plimsoll/session/rename");

/** Finds the sessions of a folder in whose title, or in one of whose messages, all words of the query stand: a title before a message, then the newest first. */
export const SessionSearchRequest = new RequestType<SessionSearchParams, SessionSearchResult, void>("plimsoll/session/search");

/** Writes a commit message for what is staged; asks the model beside the conversation. */
export const SessionCommitMessageRequest = new RequestType<SessionCommitMessageParams, SessionCommitMessageResult, void>("plimsoll/session/commitMessage");

/** Sums what the session used, by purpose and model. */
export const SessionCostRequest = new RequestType<SessionParams, SessionCostResult, void>("plimsoll/session/cost");

/** Adds messages of an editor's own agent loop, all or none; no model is called. Role `system` is refused, a result answers an open call, the same `id` twice is one message. */
export const SessionAppendRequest = new RequestType<SessionAppendParams, SessionAppendResult, void>("plimsoll/session/append");

/** Shows the exact next request; writes nothing. */
export const SessionViewRequest = new RequestType<SessionParams, SessionViewResult, void>("plimsoll/session/view");

/** Measures the next request, with the unsent prompt when it is given. */
export const ContextMeterRequest = new RequestType<ContextMeterParams, Meter, void>("plimsoll/context/meter");

/** Reports everything that the next request carries, or that of an earlier turn carried. */
export const ContextReportRequest = new RequestType<ContextReportParams, ContextReport, void>("plimsoll/context/report");

/** Shows what a reduction would do; changes nothing, calls no model. */
export const ContextPreviewRequest = new RequestType<ContextPreviewParams, ReceiptResult, void>("plimsoll/context/preview");

/** Asks the model for a summary and changes nothing of the context. */
export const ContextDraftSummaryRequest = new RequestType<ContextDraftSummaryParams, SummaryDraft, void>("plimsoll/context/draftSummary");

/** Compacts now; answers when it is done, and reports progress on `workDoneToken`. */
export const ContextCompactRequest = new RequestType<ContextCompactParams, ReceiptResult, void>("plimsoll/context/compact");

/** Takes a reduction or rewind back; `notUndoable` with `needsTokens` if too large. */
export const ContextUndoRequest = new RequestType<EditParams, UndoResult, void>("plimsoll/context/undo");

/** Takes items out; a tool result leaves its placeholder, anything else takes its group. */
export const ContextEvictRequest = new RequestType<ItemsParams, ReceiptResult, void>("plimsoll/context/evict");

/** Brings items back to their full text. */
export const ContextRestoreRequest = new RequestType<ItemsParams, ReceiptResult, void>("plimsoll/context/restore");

/** Lists the standing instructions that people typed: what holds, and what was ended. */
export const ContextRulesRequest = new RequestType<SessionParams, RulesResult, void>("plimsoll/context/rules");

/** Lets an instruction hold again that a later one ended; its message comes into view. */
export const ContextRestoreRuleRequest = new RequestType<RuleParams, RuleResult, void>("plimsoll/context/restoreRule");

/** The view before and after a reduction, for a diff editor. */
export const ContextDiffRequest = new RequestType<EditParams, ContextDiffResult, void>("plimsoll/context/diff");

/** Answers a planned automatic compaction: later, or not in this session. */
export const ContextPostponeRequest = new RequestType<ContextPostponeParams, Empty, void>("plimsoll/context/postpone");

/** Says why an item is here, or where it went. */
export const ContextExplainRequest = new RequestType<ContextExplainParams, MarkdownResult, void>("plimsoll/context/explain");

/** Gives the whole text that a call brought, also where less of it is in the context. */
export const ContextResultRequest = new RequestType<ContextResultParams, ContextResultResult, void>("plimsoll/context/result");

/** Gives all that a command has written that still runs. */
export const ContextOutputRequest = new RequestType<ContextOutputParams, ContextOutputResult, void>("plimsoll/context/output");

/** The log of a session with its texts. */
export const ContextExportRequest = new RequestType<SessionParams, ContextExportResult, void>("plimsoll/context/export");

/** Makes a session of an exported log: the same view but for our own frames. */
export const ContextImportRequest = new RequestType<ContextImportParams, SessionResult, void>("plimsoll/context/import");

/** Pins a text or an item. */
export const PinAddRequest = new RequestType<PinAddParams, PinResult, void>("plimsoll/pin/add");

/** Lists pins, numbered from 1. */
export const PinListRequest = new RequestType<PinOwner, PinListResult, void>("plimsoll/pin/list");

/** Removes a pin; its number is never given again in the session. */
export const PinRemoveRequest = new RequestType<PinRemoveParams, Empty, void>("plimsoll/pin/remove");

/** Lists the memories of a folder. */
export const MemoryListRequest = new RequestType<MemoryListParams, MemoriesResult, void>("plimsoll/memory/list");

/** Searches the memories of a folder, best first. */
export const MemorySearchRequest = new RequestType<MemorySearchParams, MemoriesResult, void>("plimsoll/memory/search");

/** Adds a memory, or refuses with `memoryRefused`. */
export const MemoryAddRequest = new RequestType<MemoryAddParams, MemoryResult, void>("plimsoll/memory/add");

/** Changes the fields of a memory that are given. */
export const MemoryUpdateRequest = new RequestType<MemoryUpdateParams, MemoryResult, void>("plimsoll/memory/update");

/** Hides a memory at once, also from live sessions; `purge` removes its text for good. */
export const MemoryForgetRequest = new RequestType<MemoryForgetParams, Empty, void>("plimsoll/memory/forget");

/** Undoes `plimsoll/memory/forget`. */
export const MemoryRestoreRequest = new RequestType<MemoryParams, MemoryResult, void>("plimsoll/memory/restore");

/** Accepts or rejects a memory of the inbox. */
export const MemoryReviewRequest = new RequestType<MemoryReviewParams, MemoryReviewResult, void>("plimsoll/memory/review");

/** Shares a memory with the team or the person's other machines, or keeps it private again. */
export const MemoryShareRequest = new RequestType<MemoryShareParams, MemoryResult, void>("plimsoll/memory/share");

/** The memories of a folder, for a person. */
export const MemoryExportRequest = new RequestType<WorkspaceParams, MarkdownResult, void>("plimsoll/memory/export");

/** Puts the memories of an export into the inbox. */
export const MemoryImportRequest = new RequestType<MemoryImportParams, MemoryImportResult, void>("plimsoll/memory/import");

/** Every change of the memories of a folder. */
export const MemoryAuditRequest = new RequestType<MemoryAuditParams, MemoryAuditResult, void>("plimsoll/memory/audit");

/** Takes over the store of a folder that was moved; only on the user's word. */
export const ProjectLinkRequest = new RequestType<ProjectLinkParams, Empty, void>("plimsoll/project/link");

/** Whether a folder shares a project with a team, and how its server does. */
export const TeamStatusRequest = new RequestType<WorkspaceParams, TeamStatus, void>("plimsoll/team/status");

/** Takes part in a project that is there. */
export const TeamJoinRequest = new RequestType<TeamJoinParams, TeamStatus, void>("plimsoll/team/join");

/** Makes a project on a team's server and takes part in it. */
export const TeamCreateRequest = new RequestType<TeamCreateParams, TeamStatus, void>("plimsoll/team/create");

/** Takes part no more: what colleagues shared leaves, one's own stays here. */
export const TeamLeaveRequest = new RequestType<WorkspaceParams, TeamStatus, void>("plimsoll/team/leave");

/** Accepts a colleague: what waits of theirs takes effect, and so does what comes. */
export const TeamAcceptRequest = new RequestType<TeamAcceptParams, Empty, void>("plimsoll/team/accept");

/** Hands over the password for a team's server; it stays in memory and goes there alone. */
export const TeamSetPasswordRequest = new RequestType<TeamSetPasswordParams, TeamSetPasswordResult, void>("plimsoll/team/setPassword");

/** Saves what can be read of a folder's damaged store into a new one; only on the user's word. */
export const StoreSalvageRequest = new RequestType<StoreParams, StoreSalvageResult, void>("plimsoll/store/salvage");

/** Keeps the sessions of a folder in memory until the server ends, where its store cannot be used. */
export const StoreUseMemoryRequest = new RequestType<StoreParams, Empty, void>("plimsoll/store/useMemory");

/** Shows what is kept of a folder, or of all, and deletes it when it is `confirmed`. */
export const StoreForgetRequest = new RequestType<StoreForgetParams, StoreForgetResult, void>("plimsoll/store/forget");

/** Hands over a provider's key; it stays in memory and goes to that address alone. */
export const ModelSetKeyRequest = new RequestType<ModelSetKeyParams, Empty, void>("plimsoll/model/setKey");

/** Lists the models that an address serves, with their windows; asks that server. */
export const ModelListRequest = new RequestType<ModelListParams, ModelListResult, void>("plimsoll/model/list");

/** Sends a model one small request, and says what came. One that answers is connected. */
export const ModelTestRequest = new RequestType<ModelTestParams, ModelTestResult, void>("plimsoll/model/test");

/** Lists the models of all addresses that were connected; a dead one holds nothing up. */
export const ModelConnectedRequest = new RequestType<ModelConnectedParams, ModelConnectedResult, void>("plimsoll/model/connected");

/** Takes an address out of the list of those that were connected. */
export const ModelForgetRequest = new RequestType<ModelForgetParams, Empty, void>("plimsoll/model/forget");

/** Lists the skills. */
export const SkillListRequest = new RequestType<SkillOwner, SkillsResult, void>("plimsoll/skill/list");

/** Switches a skill. */
export const SkillSetRequest = new RequestType<SkillSwitch, SkillsResult, void>("plimsoll/skill/set");

/** Lists the custom commands and agents. */
export const CustomListRequest = new RequestType<CustomOwner, CustomResult, void>("plimsoll/custom/list");

/** Switches a custom command or agent. */
export const CustomSetRequest = new RequestType<CustomSwitch, CustomResult, void>("plimsoll/custom/set");

/** Makes the prompt of a custom command, or of an MCP server by `SERVER:PROMPT`, for a person to see; sends nothing. */
export const CustomExpandRequest = new RequestType<CustomExpandParams, CustomExpandResult, void>("plimsoll/custom/expand");

/** Lists what the agent wrote that nobody has kept, undone or edited, hunk by hunk. */
export const HunkListRequest = new RequestType<HunkOwner, HunksResult, void>("plimsoll/hunk/list");

/** Keeps hunks: they are listed no more, and no file changes. */
export const HunkKeepRequest = new RequestType<HunkChoice, HunksResult, void>("plimsoll/hunk/keep");

/** Undoes hunks, through the editor where a file is open; the model is told. */
export const HunkUndoRequest = new RequestType<HunkChoice, HunksResult, void>("plimsoll/hunk/undo");

/** Lists what is always allowed in a folder. */
export const PermissionListRequest = new RequestType<PermissionOwner, PermissionsResult, void>("plimsoll/permission/list");

/** Takes back what was always allowed: it is asked about again. */
export const PermissionRemoveRequest = new RequestType<PermissionRemoveParams, PermissionResult, void>("plimsoll/permission/remove");

/** What runs, and what is wrong. */
export const StatusRequest = new RequestType<Empty, StatusResult, void>("plimsoll/status");

/** Lists the MCP servers that the person configured; starts none. */
export const McpListRequest = new RequestType<McpOwner, McpServersResult, void>("plimsoll/mcp/list");

/** Adds a server to the person's own settings; only on the user's word. */
export const McpAddRequest = new RequestType<McpAddParams, McpServersResult, void>("plimsoll/mcp/add");

/** Takes a server out of the person's own settings. */
export const McpRemoveRequest = new RequestType<McpServerOwner, McpServersResult, void>("plimsoll/mcp/remove");

/** Switches a server on or off. */
export const McpSetServerRequest = new RequestType<McpServerSwitch, McpServersResult, void>("plimsoll/mcp/setServer");

/** Switches a tool of a server on or off. */
export const McpSetToolRequest = new RequestType<McpToolSwitch, McpServersResult, void>("plimsoll/mcp/setTool");

/** Ends a server and starts it anew, also one that failed; answers when it is there. */
export const McpRestartRequest = new RequestType<McpServerOwner, McpServersResult, void>("plimsoll/mcp/restart");

/** Logs in at a server: the client is asked to show the page; answers when it is done. */
export const McpAuthorizeRequest = new RequestType<McpServerOwner, McpServersResult, void>("plimsoll/mcp/authorize");

/** Lists the servers in files of other programs, without taking any over. */
export const McpFoundRequest = new RequestType<McpOwner, McpFoundResult, void>("plimsoll/mcp/found");

/** Takes servers over from another program's file; only on the user's word, who has seen what will run. */
export const McpTakeOverRequest = new RequestType<McpTakeOverParams, McpServersResult, void>("plimsoll/mcp/takeOver");

/** The user has trusted a folder, or no longer does. */
export const DidChangeTrustNotification = new NotificationType<DidChangeTrustParams>("plimsoll/didChangeTrust");

/** Asks whether a tool call may run; unanswered for 5 minutes it is rejected. */
export const SessionRequestPermissionRequest = new RequestType<RequestPermissionParams, RequestPermissionResult, void>("plimsoll/session/requestPermission");

/** Asks for the outline of a file, or for symbols of a folder by their name. */
export const EditorSymbolsRequest = new RequestType<EditorSymbolsParams, EditorSymbolsResult, void>("plimsoll/editor/symbols");

/** Asks where that is defined which stands at a place. */
export const EditorDefinitionRequest = new RequestType<EditorPositionParams, EditorLocationsResult, void>("plimsoll/editor/definition");

/** Asks where that is used which stands at a place, its definition included. */
export const EditorReferencesRequest = new RequestType<EditorPositionParams, EditorLocationsResult, void>("plimsoll/editor/references");

/** Asks for the problems of files. */
export const EditorDiagnosticsRequest = new RequestType<EditorDiagnosticsParams, EditorDiagnosticsResult, void>("plimsoll/editor/diagnostics");

/** Asks what a rename would change; the client changes nothing. */
export const EditorRenameRequest = new RequestType<EditorRenameParams, EditorRenameResult, void>("plimsoll/editor/rename");

/** Asks for an answer that only a window gives which is there: without one, what is written here goes to another window that wants it. */
export const WindowPresentRequest = new RequestType<Empty, Empty, void>("plimsoll/window/present");

/** Something happened in a session. */
export const SessionUpdateNotification = new NotificationType<SessionUpdateParams>("plimsoll/session/update");

/** The meter moved; at most ten a second. */
export const ContextDidChangeNotification = new NotificationType<ContextDidChangeParams>("plimsoll/context/didChange");

/** The memories of a folder changed. */
export const MemoryDidChangeNotification = new NotificationType<MemoryDidChangeParams>("plimsoll/memory/didChange");

/** The state of a folder's team changed. */
export const TeamDidChangeNotification = new NotificationType<TeamDidChangeParams>("plimsoll/team/didChange");

/** An MCP server of a folder has another state, or offers something else. */
export const McpDidChangeNotification = new NotificationType<McpDidChangeParams>("plimsoll/mcp/didChange");

/** The server's state changed. */
export const DidChangeStatusNotification = new NotificationType<DidChangeStatusParams>("plimsoll/didChangeStatus");

/** The server has taken the client's changed settings: what is asked now goes by them. */
export const DidChangeSettingsNotification = new NotificationType<Empty>("plimsoll/didChangeSettings");
