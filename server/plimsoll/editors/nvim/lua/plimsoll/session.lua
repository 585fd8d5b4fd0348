-- The session that is shown: it is begun with the first prompt, and followed by the server's updates.
local chat = require("plimsoll.chat")
local client = require("plimsoll.client")
local mentions = require("plimsoll.mentions")
local words = require("plimsoll.words")
local M = { info = nil, meter = nil, turn = nil, asking = 0, waiting = nil, queued = 0 }

local seq, loading = nil, false
-- What was sent and not yet accepted, and the session that was shown when its server ended.
local unsent, left = nil, nil
local listeners = {}

-- Calls back with each change that views show: of the load line, the session, a turn. An update of the
-- server's comes with it, if that is what changed.
function M.listen(told) table.insert(listeners, told) end

function M.changed(update)
  for _, told in ipairs(listeners) do
    told(update)
  end
  vim.api.nvim_exec_autocmds("User", { pattern = "PlimsollStatus", modeline = false })
  vim.cmd.redrawstatus({ bang = true })
end

local function doing()
  if M.asking > 0 then return " asks: :Plimsoll review" end
  if unsent then return " sends" end
  if not M.turn then return "" end
  local more = M.queued > 0 and (", %d to come"):format(M.queued) or ""
  return (M.waiting and " waits" or " works") .. more
end

function M.status()
  if not M.info then return unsent and "starts" or "" end
  local load = M.meter and ("%.0f%% %s "):format(M.meter.percent, M.meter.zone) or ""
  return load .. M.info.mode .. doing()
end

local function text_of(message, kind)
  local texts = {}
  for _, part in ipairs(message.parts) do
    if part.type == kind and not part.attached then table.insert(texts, part.text or "") end
  end
  return table.concat(texts, "\n\n")
end

local function attached(message)
  local names = {}
  for _, part in ipairs(message.parts) do
    if part.attached or part.type == "image" then table.insert(names, part.attached or "image") end
  end
  return names
end

local function call_of(tool_call)
  return { title = tool_call.title, detail = tool_call.detail, kind = tool_call.kind }
end

local function add_message(message)
  if message.role == "user" then return chat.add_prompt(text_of(message, "text"), attached(message)) end
  if message.role == "assistant" then
    chat.add_answer(message.id, text_of(message, "text"), text_of(message, "reasoning"))
  end
  for _, part in ipairs(message.parts) do
    if part.type == "toolCall" and part.toolCall then
      chat.set_call(part.toolCall.id, call_of(part.toolCall))
    elseif part.type == "toolResult" then
      chat.end_call(part.toolCall and part.toolCall.id, part.failed, part.text)
    end
  end
end

local function end_turn(update)
  M.turn, M.waiting = nil, nil
  require("plimsoll.approval").settle_all()
  if update.error then
    local told = client.words({ message = update.error.message, data = update.error })
    return chat.add_notice("! " .. told, "error")
  end
  if update.stopReason == "cancelled" then chat.add_notice("Stopped.") end
end

local function receipt_lines(receipt)
  local lines = { receipt.why }
  for _, item in ipairs(receipt.items) do
    table.insert(lines, ("- %s (%d tokens): %s"):format(item.title, item.tokens, item.where))
  end
  return table.concat(lines, "\n")
end

local function add_receipt(receipt)
  if receipt.status ~= "completed" or receipt.undone then return end
  chat.add_folded(("↓ %s: %s"):format(words.reduction(receipt), words.weights(receipt)), receipt_lines(receipt))
end

local SHOWS = {
  turnStarted = function(update) M.turn = update.turnId end,
  textDelta = function(update)
    M.waiting = nil
    chat.stream(update.messageId, update.text)
  end,
  reasoningDelta = function(update)
    M.waiting = nil
    chat.stream_thought(update.messageId, update.text)
  end,
  waiting = function(update) M.waiting = update.reason end,
  toolCall = function(update) chat.set_call(update.toolCall.id, call_of(update.toolCall)) end,
  toolUpdate = function(update)
    local changed = { status = update.status, output = update.output, rejection = update.rejection }
    chat.set_call(update.toolCallId, changed)
    require("plimsoll.approval").settle(update.toolCallId, update.status)
  end,
  message = function(update) add_message(update.message) end,
  notice = function(update)
    if update.command then chat.add_prompt(update.command) end
    chat.add_notice(update.markdown, update.level)
  end,
  tasks = function(update) chat.set_tasks(update.tasks) end,
  reduction = function(update) add_receipt(update.receipt) end,
  queued = function(update)
    M.queued = #update.entries
    for _, prompt in ipairs(update.returned or {}) do
      require("plimsoll.prompt").give_back(prompt.content)
    end
  end,
  turnEnded = end_turn,
}

local function adopt(info)
  M.info, left = info, nil
  M.changed()
end

local function show_loaded(loaded)
  chat.clear()
  for _, message in ipairs(loaded.messages) do
    add_message(message)
  end
  for _, earlier in ipairs(loaded.shown or {}) do
    if earlier.update.kind == "turnEnded" and earlier.update.error then end_turn(earlier.update) end
  end
  if loaded.answer then chat.add_answer(loaded.answer.messageId, loaded.answer.text, loaded.answer.reasoning) end
  if loaded.tasks and #loaded.tasks > 0 then chat.set_tasks(loaded.tasks) end
  M.turn, M.queued, seq = loaded.runningTurnId, #(loaded.queued or {}), loaded.seq
  adopt(loaded.session)
  client.request("plimsoll/context/meter", { sessionId = M.info.id }, function(meter)
    M.meter = meter or M.meter
    M.changed()
  end)
end

-- Shows a session, default the latest of the folder; `done` is called when it is there.
function M.resume(session, done)
  client.start()
  loading = true
  client.request("plimsoll/session/load", { workspaceFolder = client.uri(), sessionId = session }, function(loaded)
    loading = false
    if not loaded then return end
    show_loaded(loaded)
    if done then done() end
  end)
end

-- Begins an empty session.
function M.new(done)
  client.start()
  client.request("plimsoll/session/new", { workspaceFolder = client.uri() }, function(begun)
    if not begun then return end
    chat.clear()
    seq, M.turn, M.meter, M.queued = begun.seq, nil, nil, 0
    adopt(begun.session)
    if done then done() end
  end)
end

-- Calls back once there is a session.
function M.ensure(done)
  client.start()
  local function go_on() done(M.info.id) end
  if M.info then return go_on() end
  if left and left.folder == client.folder then return M.resume(left.id, go_on) end
  M.new(go_on)
end

local function give_back()
  if unsent then require("plimsoll.prompt").give_back(unsent) end
  unsent = nil
end

-- Says something: text with its mentions, and parts such as a selection; during a turn before the next step.
-- `pasted` are the ranges of it that nobody typed.
function M.prompt(text, parts, pasted)
  unsent = { { type = "text", text = text, pasted = pasted } }
  if not client.start() then return give_back() end
  M.changed()
  M.ensure(function(session)
    local said = { type = "text", text = text, pasted = pasted }
    local content = vim.list_extend({ said }, mentions.parts(text, client.folder))
    vim.list_extend(content, parts or {})
    local params = { sessionId = session, content = content, when = M.turn and "steer" or nil }
    client.request("plimsoll/session/prompt", params, function(_, problem)
      if problem then give_back() end
      unsent = nil
      M.changed()
    end)
  end)
end

function M.cancel()
  if M.info then client.request("plimsoll/session/cancel", { sessionId = M.info.id }) end
end

-- Asks the server something about the session that is shown.
function M.request(method, params, answered)
  M.ensure(function(session)
    client.request(method, vim.tbl_extend("error", { sessionId = session }, params or {}), answered)
  end)
end

local function on_update(_, params)
  local update = params.update
  if not M.info or loading then return end
  if update.kind == "sessionChanged" then
    if update.session.id ~= M.info.id then return M.resume(update.session.id) end
    adopt(update.session)
  end
  if params.sessionId ~= M.info.id then return end
  -- Updates were left out while Neovim did not read: the whole is asked for.
  if seq and params.seq > seq + 1 then return M.resume(M.info.id) end
  seq = params.seq
  local show = SHOWS[update.kind]
  if show then show(update) end
  M.changed(update)
end

local function on_meter(_, params)
  if not M.info or params.sessionId ~= M.info.id then return end
  M.meter = params.meter
  M.changed()
end

client.handlers["plimsoll/session/update"] = on_update
client.handlers["plimsoll/context/didChange"] = on_meter
client.handlers["plimsoll/session/requestPermission"] = function(...)
  return require("plimsoll.approval").on_request(...)
end
client.handlers["plimsoll/didChangeStatus"] = function(_, params)
  if params.kind == "warning" or params.kind == "error" then client.notify(params.message, vim.log.levels.WARN) end
end
table.insert(client.exited, function()
  left = M.info and { id = M.info.id, folder = client.folder } or left
  M.info, M.meter, M.turn, M.queued, seq = nil, nil, nil, 0, nil
  require("plimsoll.approval").settle_all()
  give_back()
  M.changed()
end)

return M
