-- A buffer that lists things, a line each, with keys that act on the thing under the cursor.
local M = {}

local space = vim.api.nvim_create_namespace("plimsoll.list")
local lists = {}

local SOON_MS = 300
local due = {}

local function help(view)
  local lines = {}
  for _, key in ipairs(view.keys) do
    table.insert(lines, ("%-5s %s"):format(key[1], key[2]))
  end
  vim.lsp.util.open_floating_preview(lines, "", { border = "rounded", title = " Keys " })
end

local function act(list, action)
  local rows = list.rows or {}
  action(rows[vim.api.nvim_win_get_cursor(0)[1]], list)
end

local function new_buffer(view)
  local buffer = vim.api.nvim_create_buf(false, true)
  vim.api.nvim_buf_set_name(buffer, "plimsoll://" .. view.name)
  vim.bo[buffer].filetype = "plimsoll-list"
  vim.bo[buffer].modifiable = false
  local list = { buffer = buffer, view = view }
  local function set(key, action, told)
    vim.keymap.set("n", key, action, { buffer = buffer, nowait = true, desc = "Plimsoll: " .. told })
  end
  for _, key in ipairs(view.keys) do
    set(key[1], function() act(list, key[3]) end, key[2])
  end
  set("R", function() M.refresh(view.name) end, "read it again")
  set("q", "<Cmd>close<CR>", "close")
  set("g?", function() help(view) end, "these keys")
  lists[view.name] = list
  return list
end

-- Shows rows: { text, group?, thing? }; the cursor stays on its thing.
local function show(list, rows)
  if not vim.api.nvim_buf_is_valid(list.buffer) then return end
  list.rows = {}
  local lines = {}
  for number, row in ipairs(rows) do
    lines[number] = row.text:gsub("\n", " ")
    list.rows[number] = row.thing
  end
  vim.bo[list.buffer].modifiable = true
  vim.api.nvim_buf_set_lines(list.buffer, 0, -1, true, lines)
  vim.bo[list.buffer].modifiable = false
  vim.api.nvim_buf_clear_namespace(list.buffer, space, 0, -1)
  for number, row in ipairs(rows) do
    if row.group then
      vim.api.nvim_buf_set_extmark(list.buffer, space, number - 1, 0, { line_hl_group = row.group })
    end
  end
end

-- Reads a list again, if it is there.
function M.refresh(name)
  local list = lists[name]
  if not list or not vim.api.nvim_buf_is_valid(list.buffer) then return end
  list.view.read(function(rows) show(list, rows) end)
end

-- Reads a list again where a window shows it.
function M.refresh_shown(name)
  local list = lists[name]
  if list and vim.api.nvim_buf_is_valid(list.buffer) and vim.fn.bufwinid(list.buffer) >= 0 then M.refresh(name) end
end

-- Acts once for all that happens within a moment: while an answer streams, updates come many times a second.
function M.soon(name, act)
  if due[name] then return end
  due[name] = true
  vim.defer_fn(function()
    due[name] = nil
    act()
  end, SOON_MS)
end

-- Opens a list: { name, keys = { { key, words, function(thing, list) } }, read = function(show(rows)) }.
function M.open(view)
  local list = lists[view.name]
  if not list or not vim.api.nvim_buf_is_valid(list.buffer) then list = new_buffer(view) end
  local window = vim.fn.bufwinid(list.buffer)
  if window >= 0 then
    vim.api.nvim_set_current_win(window)
  else
    vim.cmd("botright sbuffer " .. list.buffer)
    vim.wo.number, vim.wo.relativenumber, vim.wo.wrap, vim.wo.cursorline = false, false, false, true
    vim.wo.winbar = ("%%#PlimsollTitle#%s%%* g? shows the keys"):format(view.title)
  end
  M.refresh(view.name)
end

-- Shows a text of the server's beside the cursor.
function M.float(markdown)
  vim.lsp.util.open_floating_preview(vim.split(markdown, "\n"), "markdown", { border = "rounded", max_width = 100 })
end

return M
