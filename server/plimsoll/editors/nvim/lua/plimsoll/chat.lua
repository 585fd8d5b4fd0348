-- The buffer of the conversation: prompts, answers as they stream, and what the agent did.
local blocks = require("plimsoll.blocks")
local config = require("plimsoll.config")
local M = {}

local NAME = "plimsoll://chat"
local shown = { open = nil, answers = {}, thoughts = {}, calls = {}, order = {} }

local function new_buffer()
  local buffer = vim.api.nvim_create_buf(false, true)
  vim.api.nvim_buf_set_name(buffer, NAME)
  vim.bo[buffer].modifiable = false
  vim.bo[buffer].filetype = "plimsoll"
  -- Not the type `markdown`: its language servers and plugins are for files.
  if not pcall(vim.treesitter.start, buffer, "markdown") then vim.bo[buffer].syntax = "markdown" end
  return buffer
end

function M.buffer()
  local buffer = vim.fn.bufnr("^" .. NAME .. "$")
  return buffer >= 0 and buffer or new_buffer()
end

local function dress(window)
  local options = {
    wrap = true,
    linebreak = true,
    number = false,
    relativenumber = false,
    signcolumn = "no",
    foldmethod = "expr",
    foldexpr = "v:lua.require'plimsoll.blocks'.fold(v:lnum)",
    foldtext = "",
    foldlevel = 0,
    foldenable = true,
    fillchars = "fold: ,eob: ",
    winbar = "%#PlimsollTitle#Plimsoll%* %{v:lua.require'plimsoll'.status()}",
  }
  for name, value in pairs(options) do
    vim.api.nvim_set_option_value(name, value, { win = window, scope = "local" })
  end
end

-- Shows the chat beside the present window, or finds its window; the cursor goes there.
function M.open()
  local buffer = M.buffer()
  local window = vim.fn.bufwinid(buffer)
  if window >= 0 then return vim.api.nvim_set_current_win(window) end
  vim.cmd("botright vertical sbuffer " .. buffer)
  vim.api.nvim_win_set_width(0, math.floor(vim.o.columns * config.get().chat.width))
  dress(0)
  vim.cmd("normal! G")
end

-- Keeps a window that stands at the end at the end.
local function following(buffer, change)
  local at_end = vim.tbl_filter(function(window)
    return vim.api.nvim_win_get_cursor(window)[1] == vim.api.nvim_buf_line_count(buffer)
  end, vim.fn.win_findbuf(buffer))
  change()
  for _, window in ipairs(at_end) do
    vim.api.nvim_win_set_cursor(window, { vim.api.nvim_buf_line_count(buffer), 0 })
  end
end

local function is_empty(buffer)
  return vim.api.nvim_buf_line_count(buffer) == 1 and vim.api.nvim_buf_get_lines(buffer, 0, 1, true)[1] == ""
end

-- Adds lines below all there are, behind an empty one.
local function add(lines, group)
  local buffer = M.buffer()
  shown.open = nil
  following(buffer, function()
    vim.bo[buffer].modifiable = true
    local first = is_empty(buffer) and 0 or vim.api.nvim_buf_line_count(buffer)
    local all = first == 0 and lines or vim.list_extend({ "" }, lines)
    vim.api.nvim_buf_set_lines(buffer, first, -1, true, all)
    vim.bo[buffer].modifiable = false
    if not group then return end
    local space = vim.api.nvim_create_namespace("plimsoll.chat")
    for row = first == 0 and 0 or first + 1, first + #all - 1 do
      vim.api.nvim_buf_set_extmark(buffer, space, row, 0, { line_hl_group = group })
    end
  end)
end

local function add_block(block, lines)
  local buffer = M.buffer()
  -- Blocks that follow each other stand without an empty line between them.
  if shown.open ~= "block" and not is_empty(buffer) then add({}) end
  shown.open = "block"
  following(buffer, function()
    blocks.add(buffer, block, lines)
    if vim.api.nvim_buf_get_lines(buffer, 0, 1, true)[1] ~= "" then return end
    vim.bo[buffer].modifiable = true
    vim.api.nvim_buf_set_lines(buffer, 0, 1, true, {})
    vim.bo[buffer].modifiable = false
  end)
end

-- Empties the buffer, for another session.
function M.clear()
  local buffer = M.buffer()
  shown = { open = nil, answers = {}, thoughts = {}, calls = {}, order = {} }
  vim.bo[buffer].modifiable = true
  vim.api.nvim_buf_set_lines(buffer, 0, -1, true, {})
  vim.bo[buffer].modifiable = false
end

function M.add_prompt(text, attached)
  shown.tasks = nil
  local lines = vim.split(text, "\n")
  vim.list_extend(lines, vim.tbl_map(function(name) return "@ " .. name end, attached or {}))
  add(vim.tbl_map(function(line) return "> " .. line end, lines), "PlimsollPrompt")
end

function M.add_notice(markdown, level)
  local groups = { warning = "PlimsollWarning", error = "PlimsollFailed" }
  add(vim.split(vim.trim(markdown), "\n"), groups[level] or "PlimsollNotice")
end

-- More of an answer.
function M.stream(message, text)
  local buffer = M.buffer()
  if shown.open ~= message then
    add({ "" })
    shown.open = message
  end
  shown.answers[message] = true
  following(buffer, function()
    vim.bo[buffer].modifiable = true
    vim.api.nvim_buf_set_text(buffer, -1, -1, -1, -1, vim.split(text, "\n"))
    vim.bo[buffer].modifiable = false
  end)
end

function M.stream_thought(message, text)
  local thought = shown.thoughts[message]
  if thought then
    return following(M.buffer(), function() blocks.append(M.buffer(), thought, text) end)
  end
  shown.thoughts[message] = { group = "PlimsollThought" }
  add_block(shown.thoughts[message], vim.list_extend({ "∴ Thought" }, vim.split(text, "\n")))
end

-- A whole answer: what did not stream of it is shown.
function M.add_answer(message, text, reasoning)
  if reasoning ~= "" and not shown.thoughts[message] then M.stream_thought(message, reasoning) end
  if text ~= "" and not shown.answers[message] then M.stream(message, text) end
end

local SIGNS = { completed = "✓", failed = "✗", rejected = "✗", running = "…", waiting = "?", pending = "·" }
local GROUPS = {
  failed = "PlimsollFailed",
  rejected = "PlimsollFailed",
  waiting = "PlimsollWarning",
  completed = "PlimsollCall",
}
local ENDED_BADLY = { failed = "failed", rejected = "refused" }
local MOST_LINES = 200

local function why(call)
  local by = call.rejection or {}
  return by.reason or by.by or (call.output or ""):match("[^\n]+") or "no reason was given"
end

local function cut(text)
  local lines = vim.split(text, "\n")
  if #lines <= MOST_LINES then return text end
  return table.concat(vim.list_slice(lines, 1, MOST_LINES), "\n") .. ("\n… %d more lines"):format(#lines - MOST_LINES)
end

local function call_lines(call)
  local title = ("%s %s"):format(SIGNS[call.status] or "·", call.title:gsub("\n", " "))
  local badly = ENDED_BADLY[call.status]
  if badly then title = ("%s, %s: %s"):format(title, badly, why(call)) end
  local lines, detail = { title }, call.detail or {}
  if detail.command then vim.list_extend(lines, blocks.fence(detail.command, "sh")) end
  if detail.diff then vim.list_extend(lines, blocks.fence(cut(detail.diff), "diff")) end
  if call.output and vim.trim(call.output) ~= "" then
    vim.list_extend(lines, blocks.fence(cut(call.output)))
  end
  return lines
end

-- A call of a tool, or what has become of it.
function M.set_call(id, changed)
  local call = shown.calls[id]
  if not call and not changed.title then return end
  local known = call or { status = "pending" }
  shown.calls[id] = vim.tbl_extend("force", known, changed)
  shown.calls[id].group = GROUPS[shown.calls[id].status] or "PlimsollCall"
  if call then
    local buffer = M.buffer()
    return following(buffer, function() blocks.set(buffer, shown.calls[id], call_lines(shown.calls[id])) end)
  end
  table.insert(shown.order, id)
  add_block(shown.calls[id], call_lines(shown.calls[id]))
end

local ENDED = { completed = true, failed = true, rejected = true }

-- The first call of those that are shown whose result has not come: a log has them in their order.
local function next_without_result()
  for _, id in ipairs(shown.order) do
    if not shown.calls[id].has_result then return id end
  end
end

-- What a call brought, by the log: how it ended is said by its updates, where there were any.
function M.end_call(id, failed, output)
  id = id or next_without_result()
  local call = shown.calls[id]
  if not call then return end
  call.has_result = true
  local status = ENDED[call.status] and call.status or failed and "failed" or "completed"
  M.set_call(id, { status = status, output = output or call.output })
end

local TASK_SIGNS = { completed = "✓", inProgress = "…", cancelled = "✗" }

local function task_lines(tasks, indent, lines)
  for _, task in ipairs(tasks) do
    table.insert(lines, ("%s%s %s"):format(indent, TASK_SIGNS[task.status] or "·", task.title))
    task_lines(task.children or {}, indent .. "  ", lines)
  end
  return lines
end

-- The agent's list of tasks: one block a turn, which changes with the list.
function M.set_tasks(tasks)
  local done = #vim.tbl_filter(function(task) return task.status == "completed" end, tasks)
  local lines = task_lines(tasks, "  ", { ("☰ Tasks: %d of %d done"):format(done, #tasks) })
  if shown.tasks then return blocks.set(M.buffer(), shown.tasks, lines) end
  shown.tasks = { group = "PlimsollNotice" }
  add_block(shown.tasks, lines)
end

-- Receipts and other one-liners that unfold.
function M.add_folded(title, text)
  add_block({ group = "PlimsollNotice" }, vim.list_extend({ title }, vim.split(vim.trim(text), "\n")))
end

return M
