-- Completes slash commands, their arguments, and files behind an @, in the prompt.
local client = require("plimsoll.client")
local mentions = require("plimsoll.mentions")
local M = {}

local MOST = 200
local files = { at = 0, list = {} }

-- The files of the folder that git would take, else those that are found.
local function list_files()
  local now = vim.uv.hrtime()
  if #files.list > 0 and now - files.at < 5e9 then return files.list end
  local asked = { "git", "ls-files", "--cached", "--others", "--exclude-standard" }
  local done = vim.system(asked, { cwd = client.folder, text = true }):wait(2000)
  local found = {}
  if done.code == 0 then
    found = vim.split(done.stdout, "\n", { trimempty = true })
  else
    for name, kind in vim.fs.dir(client.folder, { depth = 4 }) do
      if kind == "file" then table.insert(found, name) end
    end
  end
  files = { at = now, list = found }
  return found
end

local function mention_items(base)
  local words = vim.list_extend({ "changes", "problems" }, client.folder and list_files() or {})
  local typed = base:sub(2)
  local found = typed == "" and words or vim.fn.matchfuzzy(words, typed)
  return vim.tbl_map(function(name)
    local word = (name == "changes" or name == "problems") and "@" .. name or mentions.spell(name)
    return { word = word, abbr = name }
  end, vim.list_slice(found, 1, MOST))
end

local function slash_items(base)
  local items = {}
  for _, each in ipairs(require("plimsoll.slashes")) do
    if vim.startswith("/" .. each.name, base) then
      table.insert(items, { word = "/" .. each.name, menu = each.arguments, info = each.help })
    end
  end
  for _, each in ipairs(require("plimsoll.custom").list()) do
    if vim.startswith("/" .. each.name, base) then
      table.insert(items, { word = "/" .. each.name, menu = each.argumentHint or "", info = each.description })
    end
  end
  return items
end

local ARGUMENTS = { mode = { "edit", "plan", "ask" }, context = { "list", "detail" }, skills = { "on", "off" } }

local function argument_items(command, base)
  local words = vim.tbl_filter(function(word) return vim.startswith(word, base) end, ARGUMENTS[command] or {})
  return vim.tbl_map(function(word) return { word = word } end, words)
end

-- The column from which is completed, and the items; nil where nothing is.
function M.at(line, is_first)
  local command, word = line:match("^/([%w-]+)%s+(%S*)$")
  if is_first and command then return #line - #word + 1, argument_items(command, word) end
  if is_first and line:match("^/[%w:_-]*$") then return 1, slash_items(line) end
  local mention = line:match("^(@%S*)$") or line:match("%s(@%S*)$")
  if mention then return #line - #mention + 1, mention_items(mention) end
end

local function before_cursor()
  local row, column = unpack(vim.api.nvim_win_get_cursor(0))
  return vim.api.nvim_get_current_line():sub(1, column), row == 1
end

local function complete()
  if vim.fn.pumvisible() == 1 then return end
  local column, items = M.at(before_cursor())
  if column and #items > 0 then vim.fn.complete(column, items) end
end

-- 'omnifunc' of the prompt, for CTRL-X CTRL-O and for plugins of completion.
function M.omnifunc(is_search, base)
  local column, items = M.at(before_cursor())
  if is_search == 1 then return column and column - 1 or -3 end
  if column then return items end
  local _, found = M.at(base, true)
  return found or {}
end

function M.attach(buffer)
  vim.bo[buffer].omnifunc = "v:lua.require'plimsoll.completion'.omnifunc"
  vim.bo[buffer].completeopt = "menuone,noinsert,noselect,popup"
  vim.api.nvim_create_autocmd("TextChangedI", { buffer = buffer, callback = complete })
end

return M
