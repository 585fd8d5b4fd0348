-- Questions before a change or a command: what would happen is shown whole, a change as a diff of two windows.
local diff = require("plimsoll.diff")
local M = {}

-- Questions that wait, the oldest first: { params, answer, left_out } and, while shown, its tab and panel.
local waiting = {}

local function session() return require("plimsoll.session") end

local function current() return waiting[1] end

-- The plan as it stands in its buffer, or stood there when it was closed.
local function plan_of(question)
  local buffer = question.plan_buffer
  if not buffer or not vim.api.nvim_buf_is_valid(buffer) then return question.plan end
  return table.concat(vim.api.nvim_buf_get_lines(buffer, 0, -1, false), "\n")
end

local function close(question)
  question.plan = plan_of(question)
  if question.plan_buffer and vim.api.nvim_buf_is_valid(question.plan_buffer) then
    vim.bo[question.plan_buffer].modified = false
  end
  if question.tab and vim.api.nvim_tabpage_is_valid(question.tab) and #vim.api.nvim_list_tabpages() > 1 then
    vim.cmd.tabclose(vim.api.nvim_tabpage_get_number(question.tab))
  end
  for _, buffer in ipairs(question.buffers or {}) do
    if vim.api.nvim_buf_is_valid(buffer) then vim.api.nvim_buf_delete(buffer, { force = true }) end
  end
  question.tab, question.buffers, question.plan_buffer = nil, nil, nil
end

local function drop(question)
  waiting = vim.tbl_filter(function(each) return each ~= question end, waiting)
  session().asking = #waiting
  close(question)
  session().changed()
end

local function answer(question, result)
  drop(question)
  question.answer(result)
end

-- The option of one of these kinds, the first one first.
local function option_of(question, kinds)
  for _, kind in ipairs(kinds) do
    for _, option in ipairs(question.params.options) do
      if option.kind == kind then return option end
    end
  end
end

local function choose(question, option, reason)
  local result = { outcome = "selected", optionId = option.optionId, reason = reason }
  local detail, allows = question.params.toolCall.detail or {}, vim.startswith(option.kind, "allow")
  local plan, hunks = plan_of(question), detail.hunks
  if allows and plan ~= detail.plan then result.editedPlan = plan end
  if hunks and next(question.left_out) and allows then
    result.keptHunks = {}
    for number = 0, #hunks - 1 do
      if not question.left_out[number] then table.insert(result.keptHunks, number) end
    end
    if #result.keptHunks == 0 then return M.deny() end
  end
  answer(question, result)
end

-- Allows what is asked now, once.
function M.allow()
  local question = current()
  if not question then return vim.notify("Plimsoll asks nothing.") end
  choose(question, option_of(question, { "allowOnce" }))
end

-- Refuses what is asked now; the agent reads the reason.
function M.deny(reason)
  local question = current()
  if not question then return vim.notify("Plimsoll asks nothing.") end
  local option = option_of(question, { "rejectOnce", "rejectSession" })
  if not option then return answer(question, { outcome = "cancelled" }) end
  choose(question, option, reason and reason ~= "" and reason or nil)
end

local function panel_lines(question)
  local call = question.params.toolCall
  local detail = call.detail or {}
  local lines = { call.title:gsub("\n", " ") .. "?" }
  local function add(text)
    if text then vim.list_extend(lines, vim.split(text, "\n")) end
  end
  add(detail.askedEachTime or detail.askedAgain)
  add(detail.how)
  add(detail.confinement and detail.confinement.summary)
  if detail.spend then
    local spend = detail.spend
    local words = "Spent %s of %s %s; the next request takes at least %s."
    add(words:format(spend.spent, spend.limit, spend.unit, spend.next))
  end
  if detail.addressChange then add(detail.addressChange.known .. " -> " .. detail.addressChange.now) end
  table.insert(lines, "")
  return lines
end

local function body_of(detail)
  if detail.command then return detail.command, "sh" end
  if detail.diff then return detail.diff, "diff" end
  return detail.plan or detail.address or "", "markdown"
end

local HELP = "Enter on a line answers · q asks later"
local HUNKS_HELP = "x leaves out the change under the cursor"
local PLAN_HELP = "Change the plan below as you like: :w accepts it as it then stands"

local function help(detail)
  if detail.plan then return PLAN_HELP .. " · " .. HELP end
  return detail.hunks and HELP .. " · " .. HUNKS_HELP or HELP
end

-- The panel: what is asked, and an answer a line, with the cursor on none of them.
local function fill_panel(question, buffer)
  local lines = panel_lines(question)
  local options = {}
  for _, option in ipairs(question.params.options) do
    table.insert(lines, "  " .. option.name .. (option.scope and " (" .. option.scope .. ")" or ""))
    options[#lines] = option
  end
  table.insert(lines, "  Refuse, with a reason …")
  options[#lines] = "reason"
  vim.list_extend(lines, { "", help(question.params.toolCall.detail or {}) })
  vim.api.nvim_buf_set_lines(buffer, 0, -1, true, lines)
  local space = vim.api.nvim_create_namespace("plimsoll.question")
  local function highlight(line, group)
    vim.api.nvim_buf_set_extmark(buffer, space, line - 1, 0, { line_hl_group = group })
  end
  highlight(1, "PlimsollTitle")
  for line in pairs(options) do
    highlight(line, "PlimsollCall")
  end
  return options, #lines
end

local function ask_reason(question)
  vim.ui.input({ prompt = "Why not? " }, function(reason)
    if reason and current() == question then M.deny(reason) end
  end)
end

local function panel_keys(question, buffer, options)
  vim.keymap.set("n", "<CR>", function()
    local option = options[vim.api.nvim_win_get_cursor(0)[1]]
    if option == "reason" then return ask_reason(question) end
    if option then choose(question, option) end
  end, { buffer = buffer, desc = "Give this answer" })
  for _, each in ipairs(question.buffers) do
    vim.keymap.set("n", "q", function() close(question) end, { buffer = each, desc = "Ask later" })
  end
end

local function scratch(name, text, filetype)
  local buffer = vim.api.nvim_create_buf(false, true)
  vim.api.nvim_buf_set_name(buffer, ("plimsoll://%s/%d"):format(name, buffer))
  vim.api.nvim_buf_set_lines(buffer, 0, -1, true, vim.split(text, "\n"))
  vim.bo[buffer].filetype = filetype
  vim.bo[buffer].bufhidden = "wipe"
  vim.bo[buffer].modifiable = false
  return buffer
end

-- A plan may be changed in its buffer: written, it is accepted as it then stands.
local function let_edit(question, buffer)
  question.plan_buffer = buffer
  vim.bo[buffer].modifiable, vim.bo[buffer].buftype, vim.bo[buffer].modified = true, "acwrite", false
  vim.api.nvim_create_autocmd("BufWriteCmd", {
    buffer = buffer,
    callback = function()
      vim.bo[buffer].modified = false
      -- The answer closes the buffer that is being written.
      vim.schedule(function() choose(question, option_of(question, { "allowOnce" })) end)
    end,
  })
end

local function show_body(question, detail)
  local text, filetype = body_of(detail)
  local buffer = scratch("asked", question.plan or text, filetype)
  if detail.plan then let_edit(question, buffer) end
  vim.api.nvim_win_set_buf(0, buffer)
  table.insert(question.buffers, buffer)
end

-- Shows the question that has waited longest, in a tab of its own.
function M.review()
  local question = current()
  if not question then return vim.notify("Plimsoll asks nothing.") end
  if question.tab and vim.api.nvim_tabpage_is_valid(question.tab) then
    return vim.api.nvim_set_current_tabpage(question.tab)
  end
  local detail = question.params.toolCall.detail or {}
  vim.cmd.tabnew()
  vim.bo.bufhidden = "wipe"
  question.tab, question.buffers = vim.api.nvim_get_current_tabpage(), {}
  local location = question.params.toolCall.locations[1]
  if detail.hunks and location then
    diff.show(question, location.uri, detail.hunks)
  else
    show_body(question, detail)
  end
  local panel = vim.api.nvim_create_buf(false, true)
  vim.api.nvim_buf_set_name(panel, "plimsoll://question/" .. panel)
  table.insert(question.buffers, panel)
  local options, height = fill_panel(question, panel)
  vim.bo[panel].bufhidden, vim.bo[panel].modifiable = "wipe", false
  vim.api.nvim_open_win(panel, true, { split = "above", win = -1, height = math.min(height, 16) })
  vim.wo.winfixheight, vim.wo.number, vim.wo.wrap = true, false, true
  vim.api.nvim_win_set_cursor(0, { 1, 0 })
  panel_keys(question, panel, options)
end

-- Whether a person looks at Plimsoll and is not typing: then a question may open its tab.
local function may_open()
  local name = vim.api.nvim_buf_get_name(0)
  return vim.api.nvim_get_mode().mode == "n" and vim.startswith(name, "plimsoll://")
end

-- Nobody waits for an answer any more; what a person has written of a plan is not lost.
local function give_up(question)
  local plan = plan_of(question)
  if plan and plan ~= (question.params.toolCall.detail or {}).plan then
    vim.fn.setreg('"', plan)
    vim.notify("Plimsoll waits for the plan no more. With your changes it is in the unnamed register: p puts it.")
  end
  answer(question, { outcome = "cancelled" })
end

-- The call was answered elsewhere, or nobody answered it in time.
function M.settle(call, status)
  if status == "waiting" or status == "pending" then return end
  for _, question in ipairs(waiting) do
    if question.params.toolCall.id == call then return give_up(question) end
  end
end

function M.settle_all()
  for _, question in ipairs(waiting) do
    give_up(question)
  end
end

-- Answers the server's request; Neovim waits for it in a coroutine, and goes on meanwhile.
function M.on_request(_, params)
  local asker = coroutine.running()
  local question = { params = params, left_out = {} }
  question.answer = function(result)
    -- Never within the call that is being answered.
    vim.schedule(function() coroutine.resume(asker, result) end)
  end
  table.insert(waiting, question)
  session().asking = #waiting
  session().changed()
  if may_open() then
    vim.schedule(function()
      if current() then M.review() end
    end)
  else
    vim.notify(("Plimsoll asks: %s? :Plimsoll review shows it."):format(params.toolCall.title), vim.log.levels.WARN)
  end
  return coroutine.yield()
end

return M
