-- A proposed change of one file as two windows in diff mode: as it is, and as it would be.
local M = {}

-- The loaded buffer of a file, or nil.
function M.buffer_of(path)
  local buffer = vim.fn.bufnr("^" .. vim.fn.fnameescape(path) .. "$")
  return buffer >= 0 and vim.api.nvim_buf_is_loaded(buffer) and buffer or nil
end

-- The lines of a file as its buffer has them, else as the disk has them.
function M.lines_now(path)
  local buffer = M.buffer_of(path)
  if buffer then return vim.api.nvim_buf_get_lines(buffer, 0, -1, false) end
  return vim.fn.filereadable(path) == 1 and vim.fn.readfile(path) or {}
end

-- The lines of a text that ends with its last line, or with a line break.
function M.lines_of(text)
  if text == "" then return {} end
  return vim.split(text:gsub("\n$", ""), "\n")
end

-- Whether a line, from 0, is in a range of lines; an empty range stands between two.
function M.holds(range, line)
  local first, behind = range.start.line, range["end"].line
  if first == behind then return line == first or line == first - 1 end
  return line >= first and line < behind
end

-- The text with the hunks that are not left out, and which lines of it belong to which hunk.
function M.proposed(lines, hunks, left_out)
  local made, places, at = {}, {}, 1
  for number, hunk in ipairs(hunks) do
    local first, last = hunk.range.start.line, hunk.range["end"].line
    vim.list_extend(made, lines, at, first)
    local kept = left_out[number - 1] and vim.list_slice(lines, first + 1, last) or M.lines_of(hunk.newText)
    places[number - 1] = { #made + 1, math.max(#made + #kept, #made + 1) }
    vim.list_extend(made, kept)
    at = last + 1
  end
  return vim.list_extend(made, lines, at, #lines), places
end

-- A buffer for one side of a comparison, in the colours of the file.
function M.side(name, path)
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

function M.set(buffer, lines)
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
  local now, places = M.lines_now(path), nil
  local before, after = M.side("now", path), M.side("proposed", path)
  M.set(before, now)
  local function render()
    local made
    made, places = M.proposed(now, hunks, question.left_out)
    M.set(after, made)
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
