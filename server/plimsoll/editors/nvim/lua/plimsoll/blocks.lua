-- Blocks of a buffer that fold into their first line: tool calls, thoughts, receipts.
local M = {}

local space = vim.api.nvim_create_namespace("plimsoll.blocks")

-- The rows, from 0, of the block that is being written: Neovim asks for their folds before they are marked.
local written = nil

local function writing(buffer, block, first, length, write)
  written = { id = block.id, first = first, last = first + length - 1 }
  vim.bo[buffer].modifiable = true
  write()
  vim.bo[buffer].modifiable = false
  written = nil
end

local function write(buffer, block, first, last, lines)
  writing(buffer, block, first, #lines, function()
    vim.api.nvim_buf_set_lines(buffer, first, last, true, lines)
  end)
end

-- Marks lines as one block; its first line is shown in `group`.
local function mark(buffer, block, first, length)
  block.id = vim.api.nvim_buf_set_extmark(buffer, space, first, 0, {
    id = block.id,
    end_row = first + length - 1,
    end_right_gravity = false,
  })
  block.shown = vim.api.nvim_buf_set_extmark(buffer, space, first, 0, {
    id = block.shown,
    line_hl_group = block.group,
    undo_restore = false,
  })
  block.length = length
end

-- Puts a block at the end of a buffer.
function M.add(buffer, block, lines)
  local first = vim.api.nvim_buf_line_count(buffer)
  write(buffer, block, first, first, lines)
  mark(buffer, block, first, #lines)
end

-- Gives a block other lines.
function M.set(buffer, block, lines)
  local place = vim.api.nvim_buf_get_extmark_by_id(buffer, space, block.id, {})
  if not place[1] then return end
  write(buffer, block, place[1], place[1] + block.length, lines)
  mark(buffer, block, place[1], #lines)
end

-- Adds text to the last line of a block, without writing the others again.
function M.append(buffer, block, text)
  local place = vim.api.nvim_buf_get_extmark_by_id(buffer, space, block.id, {})
  if not place[1] then return end
  local more = vim.split(text, "\n")
  local last, length = place[1] + block.length - 1, block.length + #more - 1
  writing(buffer, block, place[1], length, function()
    local column = #vim.api.nvim_buf_get_lines(buffer, last, last + 1, true)[1]
    vim.api.nvim_buf_set_text(buffer, last, column, last, column, more)
  end)
  mark(buffer, block, place[1], length)
end

local function level(row, first, last)
  if last == first or row < first or row > last then return nil end
  return row == first and ">1" or "1"
end

-- 'foldexpr' of the buffer: a block is one fold.
function M.fold(line)
  local row = line - 1
  local now = written and level(row, written.first, written.last)
  if now then return now end
  local found = vim.api.nvim_buf_get_extmarks(0, space, { row, 0 }, { row, -1 }, { details = true, overlap = true })
  for _, each in ipairs(found) do
    local last = each[4].end_row
    local is_written = written and written.id == each[1]
    local known = last and not is_written and level(row, each[2], last)
    if known then return known end
  end
  return "0"
end

-- A fenced text; the fence is longer than any in it.
function M.fence(text, kind)
  local longest = 2
  for ticks in text:gmatch("`+") do
    longest = math.max(longest, #ticks)
  end
  local fence = ("`"):rep(longest + 1)
  local lines = vim.split(text:gsub("\n$", ""), "\n")
  table.insert(lines, 1, fence .. (kind or ""))
  table.insert(lines, fence)
  return lines
end

return M
