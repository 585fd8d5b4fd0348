-- What a person decides of changes and plans: an edit is refused, changes are kept and undone, a plan is changed.
local driver = dofile(vim.env.PLIMSOLL_DRIVER)
local found = driver.found

local function bytes(name)
  local file = io.open(name, "rb")
  return file and file:read("a") or nil
end

local function lines_here() return vim.api.nvim_buf_get_lines(0, 0, -1, false) end

local function press_on(words, keys)
  driver.go_to(words)
  driver.press(keys)
end

local function asked()
  driver.wait("the question", function() return require("plimsoll.session").asking > 0 end)
end

local function said(words)
  driver.see("chat", words)
  driver.idle()
end

local function refuses_an_edit()
  vim.cmd("Plimsoll ask two changes")
  asked()
  vim.cmd("Plimsoll review")
  press_on("Reject", "<CR>")
  said("Changed.")
  found.refused = driver.text("chat")
  found.unchanged = { vim.api.nvim_buf_get_lines(vim.fn.bufnr("load.py"), 0, -1, false), bytes("load.py") }
end

local function allows_edits()
  vim.cmd("Plimsoll ask edit three files")
  for _ = 1, 3 do
    asked()
    vim.cmd("Plimsoll allow")
  end
  said("Edited.")
  vim.cmd("silent wall")
end

local function gone(words)
  driver.wait("the decision on " .. words, function() return not driver.text("changes"):find(words, 1, true) end)
end

local function keeps_and_undoes()
  vim.cmd("Plimsoll changes")
  driver.see("changes", "other.txt")
  found.listed = lines_here()
  press_on("eins", "a")
  gone("eins")
  found.kept = bytes("load.py")
  press_on("ZWEI", "<CR>")
  found.before, found.tabs = lines_here(), #vim.api.nvim_list_tabpages()
  driver.press("x")
  gone("ZWEI")
  found.undone, found.tabs_after = bytes("load.py"), #vim.api.nvim_list_tabpages()
  press_on("new.txt", "x")
  gone("new.txt")
  found.taken_away = bytes("new.txt") == nil
  vim.fn.confirm = function(question)
    found.asked = question
    return 1
  end
  driver.press("X")
  driver.see("changes", "No change")
  found.undone_at_the_end = bytes("other.txt")
end

local function changes_a_plan()
  vim.cmd("Plimsoll ask plan it")
  asked()
  vim.cmd("Plimsoll review")
  vim.cmd.wincmd("j")
  press_on("1. Look", "A twice<Esc>q")
  found.closed = #vim.api.nvim_list_tabpages()
  vim.cmd("Plimsoll review")
  vim.cmd.wincmd("j")
  vim.cmd.write()
  said("Planned.")
  local session = require("plimsoll.session").info.id
  found.plan = driver.ask("plimsoll/pin/list", { sessionId = session }).pins[1].text
end

driver.run(function()
  driver.source()
  require("plimsoll").setup({ trust = true })
  vim.cmd.edit("other.txt")
  vim.cmd.edit("load.py")
  vim.cmd("Plimsoll start")
  driver.wait("the server", function() return driver.client() and driver.client().initialized end)
  refuses_an_edit()
  allows_edits()
  keeps_and_undoes()
  changes_a_plan()
end)
