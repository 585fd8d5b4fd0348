-- The list of the folder's sessions: one is resumed, renamed, forked or deleted.
local client = require("plimsoll.client")
local list = require("plimsoll.list")
local prompt = require("plimsoll.prompt")
local session = require("plimsoll.session")
local M = {}

local NAME = "sessions"

local function again() list.refresh_shown(NAME) end

-- Calls back with the sessions of the folder, the one used last first.
function M.all(done)
  client.start()
  client.request("plimsoll/session/list", { workspaceFolder = client.uri() }, function(answer)
    if answer then done(answer.sessions) end
  end)
end

local function row(one)
  local title = one.title ~= "" and one.title or one.preview
  local where = one.elsewhere and " on " .. one.elsewhere or ""
  local is_shown = session.info and session.info.id == one.id
  local used = one.updatedAt:sub(1, 16):gsub("T", " ")
  local text = ("%s %s  %3d turns  %s%s"):format(is_shown and "●" or " ", used, one.turns, title, where)
  return { text = text, group = is_shown and "PlimsollPinned" or nil, thing = one }
end

local function read(show)
  M.all(function(found) show(vim.tbl_map(row, found)) end)
end

-- Goes on in a session, by default the latest; the chat is shown.
function M.resume(id) session.resume(id, prompt.show) end

local function on_session(action)
  return function(one)
    if one then action(one) end
  end
end

local function rename(one)
  vim.ui.input({ prompt = "Title: ", default = one.title }, function(title)
    if title and title ~= "" then
      client.request("plimsoll/session/rename", { sessionId = one.id, title = title }, again)
    end
  end)
end

local function delete(one)
  local question = ("Delete %q with its texts?"):format(one.title)
  if vim.fn.confirm(question, "&Delete\n&Keep", 2) ~= 1 then return end
  client.request("plimsoll/session/delete", { sessionId = one.id }, again)
end

local function fork(one)
  client.request("plimsoll/session/fork", { sessionId = one.id }, function(answer)
    if answer then M.resume(answer.session.id) end
  end)
end

local VIEW = {
  name = NAME,
  title = "Sessions",
  read = read,
  keys = {
    { "<CR>", "go on in it", on_session(function(one) M.resume(one.id) end) },
    { "r", "give it another title", on_session(rename) },
    { "f", "go on in a copy of it", on_session(fork) },
    { "d", "delete it", on_session(delete) },
  },
}

function M.open() list.open(VIEW) end

return M
