-- The command :Plimsoll with its subcommands, and their completion.
local M = {}

local function module(name) return require("plimsoll." .. name) end

local function selection(typed)
  if typed.range == 0 then return {} end
  return { module("mentions").selection(vim.api.nvim_get_current_buf(), typed.line1, typed.line2) }
end

local function say(text, parts)
  module("chat").open()
  module("session").prompt(text, parts)
end

local function ask(rest, typed)
  local parts = selection(typed)
  if rest == "" then return module("prompt").open() end
  local window = vim.api.nvim_get_current_win()
  say(rest, parts)
  vim.api.nvim_set_current_win(window)
end

local function trust(trusted)
  return function()
    local client = module("client")
    client.start()
    module("trust").keep(client.folder, trusted)
    client.set_trust(trusted)
  end
end

local function slash(name)
  return function(rest) say(vim.trim(("/%s %s"):format(name, rest))) end
end

local function start(rest)
  -- It registers what the server asks and tells.
  module("session")
  module("client").start(rest ~= "" and rest or nil)
end

-- The next start takes the folder of the file that is then there.
local function stop()
  module("client").stop()
  module("client").folder = nil
end

local function modes(lead)
  return vim.tbl_filter(function(mode) return vim.startswith(mode, lead) end, { "edit", "plan", "ask" })
end

local function changes(rest)
  local what, scope = rest:match("^(%S*)%s*(%S*)")
  if what == "" then return module("changes").open() end
  module("changes").choose(what, scope == "" and "change" or scope)
end

local function change_words(lead, before)
  local offered = before:find("^changes%s+%S+%s") and { "file", "all" } or { "keep", "undo" }
  return vim.tbl_filter(function(word) return vim.startswith(word, lead) end, offered)
end

local SUBCOMMANDS = {
  chat = { function() module("prompt").open() end },
  ask = { ask },
  cancel = { function() module("session").cancel() end },
  new = { function() module("session").new(module("prompt").open) end },
  sessions = { function() module("sessions").open() end },
  resume = { function(rest) module("sessions").resume(rest ~= "" and rest or nil) end },
  changes = { changes, change_words },
  context = { function() module("context").open() end },
  memories = { function() module("memories").open() end },
  undo = { function(rest) module("context").undo(rest ~= "" and rest or nil) end },
  compact = { slash("compact") },
  mode = { slash("mode"), modes },
  model = { slash("model") },
  review = { function() module("approval").review() end },
  allow = { function() module("approval").allow() end },
  deny = { function(rest) module("approval").deny(rest) end },
  trust = { trust(true) },
  distrust = { trust(false) },
  start = { start, "dir" },
  stop = { stop },
}

-- Runs what was typed behind :Plimsoll; nothing opens the chat, a slash command is one.
function M.run(typed)
  local args = vim.trim(typed.args)
  if args == "" then return ask("", typed) end
  if vim.startswith(args, "/") then return say(args) end
  local name, rest = args:match("^(%S+)%s*(.*)$")
  local found = SUBCOMMANDS[name]
  if found then return found[1](rest, typed) end
  vim.notify(("Plimsoll has no command %q. :Plimsoll ask %s asks it."):format(name, args), vim.log.levels.ERROR)
end

local function slashes(lead)
  local names = vim.tbl_map(function(each) return "/" .. each.name end, module("slashes"))
  return vim.tbl_filter(function(name) return vim.startswith(name, lead) end, names)
end

function M.complete(lead, line)
  local before = line:match("Plimsoll%s+(.*)$") or ""
  local name = before:match("^(%S+)%s")
  if name then
    local more = (SUBCOMMANDS[name] or {})[2]
    if more == "dir" then return vim.fn.getcompletion(lead, "dir") end
    return more and more(lead, before) or {}
  end
  if vim.startswith(lead, "/") then return slashes(lead) end
  local names = vim.tbl_filter(function(each) return vim.startswith(each, lead) end, vim.tbl_keys(SUBCOMMANDS))
  table.sort(names)
  return names
end

return M
