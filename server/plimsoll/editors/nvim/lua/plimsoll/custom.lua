-- Custom commands and prompts of MCP servers: put where one types, and sent by the person.
local client = require("plimsoll.client")
local session = require("plimsoll.session")
local M = {}

local commands, servers = {}, {}
local listed_for, expanded = nil, nil
-- Milliseconds after which a wait is said: a server may have to be started, and a silent one has ten seconds.
local SAID_AFTER = 200

local function list_commands()
  session.request("plimsoll/custom/list", {}, function(answer)
    if not answer then return end
    commands = vim.tbl_filter(function(each) return each.enabled and not each.problem end, answer.commands)
  end)
end

local function list_servers()
  if not session.info then return end
  session.request("plimsoll/mcp/list", {}, function(answer)
    if not answer then return end
    servers = vim.tbl_filter(function(each) return each.state ~= "off" end, answer.servers)
  end)
end

-- Reads the lists again where the session is another one.
local function refresh()
  if not session.info or listed_for == session.info.id then return end
  listed_for = session.info.id
  list_commands()
  list_servers()
end

-- What can be called, as it is completed; what a server offers is known once it was started.
function M.list()
  local list = vim.list_extend({}, commands)
  for _, server in ipairs(servers) do
    for _, each in ipairs(server.offers and server.offers.prompts or {}) do
      local name = server.name .. ":" .. each.name
      table.insert(list, { name = name, argumentHint = each.hint, description = each.description })
    end
  end
  return list
end

-- Whether it is a custom command, or begins with a server, which is then asked for the prompt.
local function is_known(name)
  local is_command = vim.iter(commands):any(function(each) return each.name == name end)
  return is_command or vim.iter(servers):any(function(each) return vim.startswith(name, each.name .. ":") end)
end

-- Makes the prompt of `/name arguments`, and calls back with its text; false where there is no such command.
function M.expand(text, done)
  local name, arguments = text:match("^/(%S+)%s*(.*)$")
  if not name or not is_known(name) then return false end
  local waiting = true
  vim.defer_fn(function()
    if waiting then vim.notify("Plimsoll: making the prompt of /" .. name) end
  end, SAID_AFTER)
  session.request("plimsoll/custom/expand", { name = name, arguments = arguments }, function(answer)
    waiting = false
    if not answer then return end
    expanded = answer
    for _, remark in ipairs(answer.remarks or {}) do
      vim.notify("Plimsoll: " .. remark)
    end
    done(answer.text)
  end)
  return true
end

-- What of a prompt nobody typed, in UTF-16 units: what the file says; all of it once it was changed.
function M.pasted(text)
  local made = expanded
  expanded = nil
  if not made then return nil end
  if vim.trim(made.text) == text and made.text:sub(1, #text) == text then return made.pasted end
  return { { 0, vim.str_utfindex(text, "utf-16") } }
end

session.listen(refresh)
client.handlers["plimsoll/mcp/didChange"] = list_servers

return M
