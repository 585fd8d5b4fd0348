-- The list of memories: those that wait in the inbox, whole, and those that hold.
local client = require("plimsoll.client")
local list = require("plimsoll.list")
local M = {}

local NAME = "memories"

-- How many wait for a review, as the server last said.
M.waiting = 0

local function again() list.refresh_shown(NAME) end

local function waiting_rows(memory)
  local rows = { { text = ("%s  (%s)"):format(memory.title, memory.type), group = "PlimsollWarning", thing = memory } }
  local function add(text)
    for _, line in ipairs(vim.split(text, "\n")) do
      table.insert(rows, { text = "    " .. line, thing = memory })
    end
  end
  add(memory.content)
  if memory.superseded then
    add((memory.removal and "would forget: " or "would replace: ") .. memory.superseded.content)
  end
  local source = memory.source and ", from " .. (memory.source.uri or "a session") or ""
  add(("by %s%s"):format(memory.authorName or memory.author, source))
  return rows
end

local function held_row(memory)
  local said = memory.content == memory.title and memory.title or ("%s: %s"):format(memory.title, memory.content)
  local text = ("%s %-10s %s"):format(memory.pinned and "●" or " ", memory.type, said)
  return { text = text, thing = memory }
end

local function rows_of(inbox, held)
  local rows = { { text = ("Waiting for your review: %d"):format(#inbox), group = "PlimsollTitle" } }
  for _, memory in ipairs(inbox) do
    vim.list_extend(rows, waiting_rows(memory))
  end
  vim.list_extend(rows, { { text = "" }, { text = ("Remembered: %d"):format(#held), group = "PlimsollTitle" } })
  return vim.list_extend(rows, vim.tbl_map(held_row, held))
end

local function read_all(inbox, done, cursor, found)
  local params = { workspaceFolder = client.uri(), inbox = inbox, cursor = cursor }
  client.request("plimsoll/memory/list", params, function(answer)
    if not answer then return end
    local all = vim.list_extend(found or {}, answer.memories)
    if answer.nextCursor then return read_all(inbox, done, answer.nextCursor, all) end
    done(all)
  end)
end

local function read(show)
  client.start()
  read_all(true, function(inbox)
    read_all(false, function(held)
      local active = vim.tbl_filter(function(memory) return memory.state ~= "inbox" end, held)
      show(rows_of(inbox, active))
    end)
  end)
end

local function review(accept)
  return function(memory)
    if not memory or memory.state ~= "inbox" then return end
    client.request("plimsoll/memory/review", { memoryId = memory.id, accept = accept }, again)
  end
end

local function forget(memory)
  if not memory or memory.state == "inbox" then return end
  -- The list may show that it is gone before the answer is here.
  M.forgotten = memory.id
  client.request("plimsoll/memory/forget", { memoryId = memory.id }, function(answer)
    if not answer then
      M.forgotten = nil
      return
    end
    vim.notify("Plimsoll: forgotten. u brings it back.")
    again()
  end)
end

local function unforget()
  if not M.forgotten then return end
  client.request("plimsoll/memory/restore", { memoryId = M.forgotten }, again)
  M.forgotten = nil
end

local function toggle_pin(memory)
  if not memory or memory.state == "inbox" then return end
  client.request("plimsoll/memory/update", { memoryId = memory.id, pinned = not memory.pinned }, again)
end

local VIEW = {
  name = NAME,
  title = "Memories",
  read = read,
  keys = {
    { "a", "accept what waits", review(true) },
    { "x", "reject what waits", review(false) },
    { "d", "forget it", forget },
    { "u", "bring back what was forgotten last", unforget },
    { "p", "pin it, or unpin it", toggle_pin },
  },
}

function M.open() list.open(VIEW) end

client.handlers["plimsoll/memory/didChange"] = function(_, params)
  M.waiting = params.inboxCount
  again()
end

return M
