-- A proposed change of one file as two windows in diff mode: as it is, and as it would be.
local M = {}

local function lines_now(path)
  local buffer = vim.fn.bufnr("^" .. vim.fn.fnameescape(path) .. "$")
  if buffer >= 0 and vim.api.nvim_buf_is_loaded(buffer) then return vim.api.nvim_buf_get_lines(buffer, 0, -1, false) end
  return vim.fn.filereadable(path) == 1 and vim.fn.readfile(path) or {}
end

local function new_lines(hunk)
  if hunk.newText == "" then return {} end
  return vim.split(hunk.newText:gsub("\n$", ""), "\n")
end

-- The text with the hunks that are not left out, and which lines of it belong to which hunk.
function M.proposed(lines, hunks, left_out)
  local made, places, at = {}, {}, 1
  for number, hunk in ipairs(hunks) do
    local first, last = hunk.range.start.line, hunk.range["end"].line
    vim.list_extend(made, lines, at, first)
    local kept = left_out[number - 1] and vim.list_slice(lines, first + 1, last) or new_lines(hunk)
    places[number - 1] = { #made + 1, math.max(#made + #kept, #made + 1) }
    vim.list_extend(made, kept)
    at = last + 1
  end
  return vim.list_extend(made, lines, at, #lines), places
end

local function side(name, path)
  local buffer = vim.api.nvim_create_buf(false, true)
  vim.api.nvim_buf_set_name(buffer, ("plimsoll://%s/%d/%s"):format(name, buffer, vim.fs.basename(path)))
  vim.bo[buffer].bufhidden = "wipe"
  local kind = vim.filetype.match({ filename = path })
  -- The colours alone: a type would start language servers and plugins.
  if kind and not pcall(vim.treesitter.start, buffer, vim.treesitter.language.get_lang(kind)) then
    vim.bo[buffer].syntax = kind
  end
  return buffer
end

local function set(buffer, lines)
  vim.bo[buffer].modifiable = true
  vim.api.nvim_buf_set_lines(buffer, 0, -1, true, lines)
  vim.bo[buffer].modifiable = false
end

local function toggle(question, places, line)
  for number, place in pairs(places) do
    if line >= place[1] and line <= place[2] then
      question.left_out[number] = not question.left_out[number] or nil
      return true
    end
  end
  return false
end

-- Fills the present window with both sides; `x` on the right one leaves a hunk out, or takes it in again.
function M.show(question, uri, hunks)
  local path = vim.uri_to_fname(uri)
  local now, places = lines_now(path), nil
  local before, after = side("now", path), side("proposed", path)
  set(before, now)
  local function render()
    local made
    made, places = M.proposed(now, hunks, question.left_out)
    set(after, made)
  end
  render()
  vim.api.nvim_win_set_buf(0, before)
  vim.cmd.diffthis()
  vim.wo.winbar = "now"
  vim.cmd("rightbelow vertical sbuffer " .. after)
  vim.cmd.diffthis()
  vim.wo.winbar = "proposed"
  vim.list_extend(question.buffers, { before, after })
  vim.keymap.set("n", "x", function()
    if not toggle(question, places, vim.api.nvim_win_get_cursor(0)[1]) then return end
    render()
    vim.cmd.diffupdate()
  end, { buffer = after, desc = "Leave this change out, or take it in" })
end

return M
