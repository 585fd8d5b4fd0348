-- Which folders a person trusts: the agent may change files and run commands there, and asks before each.
local config = require("plimsoll.config")
local M = {}

local function file() return vim.fs.joinpath(vim.fn.stdpath("state"), "plimsoll", "trusted.json") end

local function read()
  local handle = io.open(file(), "r")
  if not handle then return {} end
  local text = handle:read("a")
  handle:close()
  local ok, folders = pcall(vim.json.decode, text)
  return ok and folders or {}
end

-- true, false, or nil where nobody has said so yet.
function M.of(folder)
  local chosen = config.get().trust
  if chosen ~= "ask" then return chosen end
  return read()[folder]
end

function M.keep(folder, trusted)
  local folders = read()
  folders[folder] = trusted
  vim.fn.mkdir(vim.fs.dirname(file()), "p")
  local handle = assert(io.open(file(), "w"))
  handle:write(vim.json.encode(folders))
  handle:close()
end

-- Asks once, and calls back with the answer; without one the folder stays untrusted for now.
function M.ask(folder, answered)
  local choices = { "Read only", "Trust: it may change files and run commands, and asks before each" }
  vim.ui.select(choices, { prompt = "Plimsoll in " .. folder }, function(_, number)
    if not number then return end
    M.keep(folder, number == 2)
    answered(number == 2)
  end)
end

return M
