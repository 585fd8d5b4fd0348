-- The list of what the agent changed and nobody has decided on: each change, a file or all is kept or undone.
local client = require("plimsoll.client")
local compare = require("plimsoll.compare")
local diff = require("plimsoll.diff")
local list = require("plimsoll.list")
local session = require("plimsoll.session")
local words = require("plimsoll.words")
local M = {}

local NAME = "changes"
local NOTHING = "No change of the agent waits to be kept or undone."

-- The files with their hunks, as the server last said.
local known = {}

local function name_of(uri)
  local path = vim.uri_to_fname(uri)
  return client.folder and vim.fs.relpath(client.folder, path) or path
end

local function again()
  if not session.info then return end
  if compare.is_open() then return list.refresh(NAME) end
  list.refresh_shown(NAME)
end

local function counts(hunks)
  local come, go = 0, 0
  for _, hunk in ipairs(hunks) do
    come = come + hunk.range["end"].line - hunk.range.start.line
    go = go + #diff.lines_of(hunk.oldText)
  end
  return ("+%d -%d"):format(come, go)
end

-- The first line that came, else the first one that went.
local function first_words(hunk, lines)
  local first = hunk.range.start.line
  if hunk.range["end"].line > first then return lines[first + 1] or "" end
  return "- " .. (diff.lines_of(hunk.oldText)[1] or "")
end

local function hunk_row(file, hunk, lines)
  local text = ("  %6d  %-8s %s"):format(hunk.range.start.line + 1, counts({ hunk }), first_words(hunk, lines))
  return { text = text, thing = { uri = file.uri, hunk = hunk } }
end

local function add_file(rows, file)
  local made = ("%s, %s"):format(words.counted(#file.hunks, "change"), counts(file.hunks))
  local title = ("%s  %s"):format(name_of(file.uri), made)
  vim.list_extend(rows, { { text = "" }, { text = title, group = "PlimsollTitle", thing = { uri = file.uri } } })
  local lines = diff.lines_now(vim.uri_to_fname(file.uri))
  for _, hunk in ipairs(file.hunks) do
    table.insert(rows, hunk_row(file, hunk, lines))
  end
end

local function total(files)
  local count = 0
  for _, file in ipairs(files) do
    count = count + #file.hunks
  end
  return ("%s in %s"):format(words.counted(count, "change"), words.counted(#files, "file"))
end

local function rows_of(files)
  if #files == 0 then return { { text = NOTHING, group = "PlimsollOk" } } end
  local rows = { { text = total(files), group = "PlimsollNotice" } }
  for _, file in ipairs(files) do
    add_file(rows, file)
  end
  return rows
end

-- Calls back with the files that have hunks.
local function ask(done)
  session.request("plimsoll/hunk/list", {}, function(answer)
    if not answer then return end
    known = answer.files
    compare.update(known)
    done(known)
  end)
end

local function read(show)
  -- A list is no reason to begin a session.
  if not session.info then
    return show({ { text = "No session is open: :Plimsoll resume goes on in the latest.", group = "PlimsollNotice" } })
  end
  ask(function(files) show(rows_of(files)) end)
end

-- The buffers of the listed files that have no unsaved changes: after an undo they have none either.
local function saved_buffers()
  local buffers = {}
  for _, file in ipairs(known) do
    local buffer = diff.buffer_of(vim.uri_to_fname(file.uri))
    if buffer and not vim.bo[buffer].modified then table.insert(buffers, buffer) end
  end
  return buffers
end

-- A file that an undo took away leaves no hidden buffer behind.
local function save(buffers)
  for _, buffer in ipairs(vim.tbl_filter(vim.api.nvim_buf_is_loaded, buffers)) do
    local is_there = vim.uv.fs_stat(vim.api.nvim_buf_get_name(buffer)) ~= nil
    if vim.bo[buffer].modified then
      vim.api.nvim_buf_call(buffer, function() vim.cmd("silent write") end)
    elseif not is_there and #vim.fn.win_findbuf(buffer) == 0 then
      vim.api.nvim_buf_delete(buffer, {})
    end
  end
end

local METHODS = { keep = "plimsoll/hunk/keep", undo = "plimsoll/hunk/undo" }

-- Keeps or undoes one change, those of a file, or without a thing all.
local function decide(what, thing)
  local chosen = thing and { uri = thing.uri, hunkIds = thing.hunk and { thing.hunk.id } } or {}
  local saved = what == "undo" and saved_buffers() or {}
  session.request(METHODS[what], chosen, function(answer)
    if not answer then return end
    compare.update(answer.files)
    save(saved)
    for _, file in ipairs(answer.left or {}) do
      client.notify(("not undone in %s: %s"):format(name_of(file.uri), file.why), vim.log.levels.WARN)
    end
    -- A file may have been written beside its buffer.
    vim.cmd.checktime()
    again()
  end)
end

local function decide_all(what)
  if #known == 0 then return client.notify(NOTHING) end
  local question = ("Undo %s? What you have edited yourself stays."):format(total(known))
  if what == "undo" and vim.fn.confirm(question, "&Undo\n&Cancel", 2) ~= 1 then return end
  decide(what)
end

local function on_thing(what)
  return function(thing)
    if thing then decide(what, thing) end
  end
end

local function file_of(uri)
  return vim.iter(known):find(function(file) return file.uri == uri end)
end

local function show(thing)
  if not thing then return end
  local file = file_of(thing.uri)
  if file then compare.open(file, thing.hunk, decide) end
end

-- The changes as the quickfix list, for |:cnext|.
local function to_quickfix()
  local items = {}
  for _, file in ipairs(known) do
    local path = vim.uri_to_fname(file.uri)
    local lines = diff.lines_now(path)
    for _, hunk in ipairs(file.hunks) do
      local text = ("%s %s"):format(counts({ hunk }), first_words(hunk, lines))
      table.insert(items, { filename = path, lnum = hunk.range.start.line + 1, text = text })
    end
  end
  vim.fn.setqflist({}, " ", { title = "Changes of the agent", items = items })
  vim.cmd("botright copen")
end

local VIEW = {
  name = NAME,
  title = "Changes",
  read = read,
  keys = {
    { "<CR>", "show it as a diff: before, and as it is", show },
    { "a", "keep the change, or all of the file", on_thing("keep") },
    { "x", "undo the change, or all of the file", on_thing("undo") },
    { "A", "keep all", function() decide_all("keep") end },
    { "X", "undo all", function() decide_all("undo") end },
    { "<C-q>", "list them as quickfix", to_quickfix },
  },
}

local function at_cursor(file, line)
  local hunk = vim.iter(file.hunks):find(function(each) return diff.holds(each.range, line) end)
  if hunk then return { uri = file.uri, hunk = hunk } end
  client.notify("no change of the agent is at the cursor. :Plimsoll changes lists them.", vim.log.levels.WARN)
end

local function here(path, line, scope)
  local real = vim.uv.fs_realpath(path) or path
  local file = vim.iter(known):find(function(each) return vim.uri_to_fname(each.uri) == real end)
  if not file then return client.notify("no change of the agent is in this file.", vim.log.levels.WARN) end
  return scope == "file" and { uri = file.uri } or at_cursor(file, line)
end

-- Keeps or undoes what is at the cursor of a file; with the scope `file` or `all` more.
function M.choose(what, scope)
  local known_words = METHODS[what] and vim.list_contains({ "change", "file", "all" }, scope)
  if not known_words then return client.notify("it is :Plimsoll changes keep|undo [file|all]", vim.log.levels.ERROR) end
  if not session.info then return client.notify("no session is open.", vim.log.levels.WARN) end
  local path, line = vim.api.nvim_buf_get_name(0), vim.api.nvim_win_get_cursor(0)[1] - 1
  ask(function()
    if scope == "all" then return decide_all(what) end
    local thing = here(path, line, scope)
    if thing then decide(what, thing) end
  end)
end

function M.open() list.open(VIEW) end

local function soon() list.soon(NAME, again) end

-- After these a file can be another, or the session; nothing is said of what a view itself did.
local KINDS = { notice = true, turnEnded = true, sessionChanged = true }

session.listen(function(update)
  local may_change_files = not update or KINDS[update.kind] or update.status == "completed"
  if may_change_files then soon() end
end)

vim.api.nvim_create_autocmd({ "TextChanged", "InsertLeave", "BufWritePost" }, {
  group = vim.api.nvim_create_augroup("plimsoll.changes", { clear = true }),
  callback = function(event)
    if vim.bo[event.buf].buftype == "" then soon() end
  end,
})

return M
