-- What a prompt mentions behind an @: files, their lines, folders, what git has as changed, problems.
local M = {}

local function exists(path)
  local found = vim.uv.fs_stat(path)
  return found and found.type
end

local function file_part(root, name, first, last)
  local path = vim.fs.joinpath(root, name)
  local kind = exists(path)
  if kind ~= "file" and not (kind == "directory" and name:sub(-1) == "/") then return nil end
  local part = { type = "file", uri = vim.uri_from_fname((path:gsub("/$", ""))) }
  if first then
    local from, to = tonumber(first) - 1, tonumber(last or first)
    part.range = { start = { line = from, character = 0 }, ["end"] = { line = to, character = 0 } }
  end
  return part
end

local SEVERITIES = { "error", "warning", "information", "hint" }

-- The problems that Neovim shows, as a text.
local function problems(root)
  local lines = {}
  for _, each in ipairs(vim.diagnostic.get()) do
    local path = vim.api.nvim_buf_get_name(each.bufnr)
    if vim.startswith(path, root .. "/") then
      local where = ("%s:%d"):format(path:sub(#root + 2), each.lnum + 1)
      table.insert(lines, ("%s %s: %s"):format(where, SEVERITIES[each.severity], each.message))
    end
  end
  if #lines == 0 then return nil end
  return { type = "excerpt", title = "Problems", text = table.concat(lines, "\n") }
end

local WORDS = {
  changes = function() return { type = "changes" } end,
  problems = problems,
}

local function split_lines(name)
  local path, first, last = name:match("^(.-):(%d+)%-(%d+)$")
  if path then return path, first, last end
  path, first = name:match("^(.-):(%d+)$")
  return path or name, first, nil
end

local function part_of(name, root)
  local path, first, last = split_lines(name)
  local part = file_part(root, path, first, last)
  if part or not WORDS[name] then return part end
  return WORDS[name](root)
end

-- The parts that a text mentions; a word behind an @ that names none of them stays text.
function M.parts(text, root)
  local parts, seen = {}, {}
  local function add(name)
    if seen[name] then return end
    seen[name] = true
    table.insert(parts, part_of(name, root))
  end
  for before, name, range in (" " .. text):gmatch('(%s)@"([^"\n]+)"([:%d%-]*)') do
    if before then add(name .. range) end
  end
  for name in (" " .. text):gmatch('%s@([^%s"@]+)') do
    local plain = name:gsub("[,;)]+$", ""):gsub("[.!?:]+$", "")
    add(exists(vim.fs.joinpath(root, name)) and name or plain)
  end
  return parts
end

-- A path as a mention that is read back.
function M.spell(path)
  if path:find('[%s"@,;)!?:]') or WORDS[path] then return ('@"%s"'):format(path) end
  return "@" .. path
end

-- The lines from `first` to `last` of a buffer, as a part of a prompt.
function M.selection(buffer, first, last)
  local lines = vim.api.nvim_buf_get_lines(buffer, first - 1, last, false)
  return {
    type = "selection",
    uri = vim.uri_from_bufnr(buffer),
    range = { start = { line = first - 1, character = 0 }, ["end"] = { line = last, character = 0 } },
    text = table.concat(lines, "\n") .. "\n",
  }
end

return M
