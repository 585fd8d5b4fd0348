-- A changed file as two windows in diff mode: as it was before the agent's changes, and the file itself.
local diff = require("plimsoll.diff")
local M = {}

-- What is shown: { tab, from, buffer, uri, hunks, places, decide }; `from` is the tab in which it was asked for.
local shown = nil

function M.is_open()
  return shown ~= nil and vim.api.nvim_tabpage_is_valid(shown.tab) and vim.api.nvim_buf_is_valid(shown.buffer)
end

local function close()
  if not M.is_open() then return end
  local last, here = shown, vim.api.nvim_get_current_tabpage()
  shown = nil
  vim.api.nvim_set_current_tabpage(last.tab)
  vim.cmd("diffoff!")
  if #vim.api.nvim_list_tabpages() > 1 then vim.cmd.tabclose() end
  local back = here == last.tab and last.from or here
  if vim.api.nvim_tabpage_is_valid(back) then vim.api.nvim_set_current_tabpage(back) end
  if vim.api.nvim_buf_is_valid(last.buffer) then vim.api.nvim_buf_delete(last.buffer, { force = true }) end
end

-- The lines without the agent's changes, and which of them belong to which hunk.
local function before(file)
  local hunks = vim.tbl_map(function(hunk) return { range = hunk.range, newText = hunk.oldText } end, file.hunks)
  return diff.proposed(diff.lines_now(vim.uri_to_fname(file.uri)), hunks, {})
end

local function render(file)
  local lines
  lines, shown.places = before(file)
  shown.hunks = file.hunks
  diff.set(shown.buffer, lines)
  vim.cmd.diffupdate()
end

-- The change at a line of the left window; where only lines came, it stands between two.
local function hunk_at(line)
  for _, near in ipairs({ 0, 1 }) do
    for number, place in pairs(shown.places) do
      if line >= place[1] - near and line <= place[2] + near then return shown.hunks[number + 1] end
    end
  end
end

local function map_keys()
  local function set(key, action, told)
    vim.keymap.set("n", key, action, { buffer = shown.buffer, nowait = true, desc = "Plimsoll: " .. told })
  end
  local function decide(what)
    return function()
      local hunk = hunk_at(vim.api.nvim_win_get_cursor(0)[1])
      if hunk then shown.decide(what, { uri = shown.uri, hunk = hunk }) end
    end
  end
  local function decide_file(what)
    return function() shown.decide(what, { uri = shown.uri }) end
  end
  set("a", decide("keep"), "keep the change")
  set("x", decide("undo"), "undo the change")
  set("A", decide_file("keep"), "keep all of the file")
  set("X", decide_file("undo"), "undo all of the file")
  set("q", close, "close the comparison")
end

-- Opens a file of the list in a tab, at a hunk of it; `decide(what, thing)` keeps or undoes.
function M.open(file, hunk, decide)
  close()
  local path, from = vim.uri_to_fname(file.uri), vim.api.nvim_get_current_tabpage()
  vim.cmd.tabedit(vim.fn.fnameescape(path))
  vim.cmd.diffthis()
  vim.wo.winbar = "as it is"
  local buffer = diff.side("before", path)
  local tab = vim.api.nvim_get_current_tabpage()
  shown = { tab = tab, from = from, buffer = buffer, uri = file.uri, decide = decide }
  vim.cmd("leftabove vertical sbuffer " .. buffer)
  vim.cmd.diffthis()
  vim.wo.winbar = "%#PlimsollTitle#before%* a keeps · x undoes · A X the file · q closes"
  render(file)
  map_keys()
  local at = hunk and vim.iter(pairs(shown.hunks)):find(function(_, each) return each.id == hunk.id end)
  local line = at and shown.places[at - 1][1] or 1
  vim.api.nvim_win_set_cursor(0, { math.min(line, vim.api.nvim_buf_line_count(buffer)), 0 })
end

-- Shows what is left to decide; with the last change the comparison closes.
function M.update(files)
  if not M.is_open() then return end
  local file = vim.iter(files):find(function(each) return each.uri == shown.uri end)
  if not file then return close() end
  render(file)
end

return M
