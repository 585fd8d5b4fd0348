-- A person's half hour in Neovim with the plugin: ask, approve, refuse, remove, undo, resume.
local driver = dofile(vim.env.PLIMSOLL_DRIVER)
local found = driver.found

local function press_on(words, keys)
  driver.go_to(words)
  driver.press(keys)
end

local function review()
  driver.wait("the question", function() return require("plimsoll.session").asking > 0 end)
  vim.cmd("Plimsoll review")
end

local function type_prompt(text)
  vim.cmd("Plimsoll chat")
  driver.press("i" .. text .. "<C-s>")
end

local function lines_here() return vim.api.nvim_buf_get_lines(0, 0, -1, false) end

-- What stands in each window of the tab that is in diff mode.
local function sides()
  local all = {}
  for _, window in ipairs(vim.api.nvim_tabpage_list_wins(0)) do
    if vim.wo[window].diff then
      table.insert(all, vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(window), 0, -1, false))
    end
  end
  return all
end

-- What has come of the server, and whether half an answer was ever shown.
local function watch()
  found.kinds, found.half = {}, false
  local update = driver.client().handlers["plimsoll/session/update"]
  driver.client().handlers["plimsoll/session/update"] = function(problem, params)
    table.insert(found.kinds, params.update.kind)
    update(problem, params)
    if params.update.kind == "textDelta" and driver.text("chat"):find("Written $") then found.half = true end
  end
end

local function approves()
  vim.cmd("Plimsoll start")
  driver.wait("the server", function() return driver.client() and driver.client().initialized end)
  watch()
  type_prompt("write it down")
  review()
  found.panel, found.sides = lines_here(), sides()
  -- What is pressed by habit answers nothing.
  driver.press("<CR>y1<Space>")
  found.still_asking = require("plimsoll.session").asking
  found.asking = require("plimsoll").status()
  press_on("Allow once", "<CR>")
  driver.see("chat", "Written down.")
  driver.idle()
  found.tabs, found.status = #vim.api.nvim_list_tabpages(), require("plimsoll").status()
  local window = vim.fn.bufwinid("plimsoll://chat")
  found.folded = vim.api.nvim_win_call(window, function() return vim.fn.foldclosedend(3) end)
end

local function keeps_a_part()
  type_prompt("change two lines")
  review()
  vim.cmd.wincmd("j")
  vim.cmd.wincmd("l")
  press_on("ZWEI", "x")
  found.left_out = lines_here()
  vim.cmd.wincmd("k")
  press_on("Allow once", "<CR>")
  driver.see("chat", "Changed.")
  driver.idle()
  local buffer = vim.fn.bufnr(vim.env.PLIMSOLL_FILE)
  found.kept = vim.api.nvim_buf_get_lines(buffer, 0, -1, false)
end

local function thinks()
  type_prompt("think about it")
  driver.see("chat", "Considered.")
  driver.idle()
  found.thought = driver.text("chat")
end

local function refuses()
  type_prompt("run it")
  review()
  vim.cmd.wincmd("j")
  found.command = table.concat(lines_here(), "\n")
  vim.cmd("Plimsoll deny not before noon")
  driver.see("chat", "So be it.")
  driver.idle()
end

local function context()
  vim.cmd("Plimsoll ask look at it")
  driver.see("chat", "Looked.")
  driver.idle()
  vim.cmd("Plimsoll context")
  driver.see("context", "tool result")
  found.context = lines_here()
  press_on("Read large.txt", "x")
  driver.see("context", "Reductions")
  found.removed = lines_here()
  press_on("removed 2 items", "u")
  driver.wait("the undo", function() return not driver.text("context"):find("Reductions", 1, true) end)
  found.undone = lines_here()
  press_on("look at it", "p")
  driver.see("context", "●")
  found.pinned = driver.text("context")
  driver.press("<CR>")
  driver.wait("the reason", function() return #vim.api.nvim_list_wins() > 4 end)
end

local function memories()
  vim.cmd("Plimsoll /remember The tide turns at six.")
  driver.idle()
  vim.cmd("Plimsoll memories")
  driver.see("memories", "The tide turns at six.")
  press_on("The tide turns", "d")
  driver.wait("the end of it", function() return not driver.text("memories"):find("The tide", 1, true) end)
  driver.press("u")
  driver.see("memories", "The tide turns at six.")
end

-- What waits for a review: an export of the folder's memories, with other words, that is taken in again.
local function reviews()
  local folder = driver.client().workspace_folders[1].uri
  local exported = driver.ask("plimsoll/memory/export", { workspaceFolder = folder }).markdown
  for _, word in ipairs({ "seven", "eight" }) do
    local markdown = exported:gsub("at six", "at " .. word)
    driver.ask("plimsoll/memory/import", { workspaceFolder = folder, markdown = markdown })
  end
  vim.cmd("Plimsoll memories")
  driver.see("memories", "at eight")
  found.inbox = lines_here()
  press_on("at seven", "a")
  driver.wait("the first answer", function() return not driver.text("memories"):find("review: 2", 1, true) end)
  press_on("at eight", "x")
  driver.see("memories", "Waiting for your review: 0")
  found.reviewed = lines_here()
end

local function resumes()
  local first = require("plimsoll.session").info.id
  vim.cmd("Plimsoll new")
  driver.wait("a new session", function() return require("plimsoll.session").info.id ~= first end)
  found.empty = driver.text("chat")
  type_prompt("what is lost?")
  driver.see("chat", "It is not there.")
  vim.cmd("Plimsoll sessions")
  driver.see("sessions", "write it down")
  press_on("write it down", "<CR>")
  driver.see("chat", "Written down.")
  found.after = driver.text("chat")
  found.resumed = require("plimsoll.session").info.id == first
end

local function sends_a_custom_command()
  driver.wait("the custom commands", function() return #require("plimsoll.custom").list() > 0 end)
  local _, items = require("plimsoll.completion").at("/tid", true)
  found.custom = vim.tbl_map(function(item) return item.word .. " " .. item.menu end, items)
  type_prompt("/tidy the hold")
  driver.see("prompt", "what is lost in the hold?")
  found.unsent = driver.text("chat"):find("in the hold", 1, true) == nil
  driver.press("<CR>")
  driver.see("chat", "> what is lost in the hold?")
  driver.idle()
end

-- It stands where one types before it goes, also at the first time, when nobody knows what the server offers.
local function sends_a_prompt_of_a_server()
  type_prompt('/box:letter to=Ada')
  -- The server takes its time to start.
  driver.wait("a word on the wait", function()
    return vim.fn.execute("messages"):find("Plimsoll: making the prompt of /box:letter", 1, true) ~= nil
  end)
  driver.see("prompt", "This is the prompt. To Ada.")
  found.unsent_letter = driver.text("chat"):find("To Ada.", 1, true) == nil
  driver.wait("its prompts", function() return #require("plimsoll.custom").list() > 1 end)
  local _, items = require("plimsoll.completion").at("/box", true)
  found.offered = vim.tbl_map(function(item) return item.word end, items)
  driver.press("<CR>")
  driver.see("chat", "> This is the prompt. To Ada.")
  driver.idle()
end

-- The server is killed: what is said next goes to the same session.
local function survives()
  local session = require("plimsoll.session").info.id
  driver.client():stop(true)
  driver.wait("the end of the server", function() return not require("plimsoll.session").info end)
  vim.cmd("Plimsoll ask run it")
  driver.wait("the question", function() return require("plimsoll.session").asking > 0 end)
  found.survived = require("plimsoll.session").info.id == session
  vim.cmd("Plimsoll deny")
  driver.idle()
  found.survivor = driver.text("chat")
end

driver.run(function()
  driver.source()
  require("plimsoll").setup({ trust = true })
  vim.cmd.edit(vim.env.PLIMSOLL_FILE)
  approves()
  keeps_a_part()
  refuses()
  found.chat = driver.text("chat")
  thinks()
  context()
  memories()
  reviews()
  resumes()
  sends_a_custom_command()
  sends_a_prompt_of_a_server()
  survives()
end)
