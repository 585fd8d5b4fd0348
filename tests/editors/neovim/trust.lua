-- A folder that nobody has trusted yet: the question, what holds before it is answered, and after.
local driver = dofile(vim.env.PLIMSOLL_DRIVER)
local found = driver.found

driver.run(function()
  driver.source()
  local asked = {}
  vim.ui.select = function(choices, options, answer)
    table.insert(asked, { options.prompt, choices })
    found.windows = found.windows or #vim.api.nvim_list_wins()
    answer(choices[1], 1)
  end
  vim.cmd.edit(vim.env.PLIMSOLL_FILE)
  vim.cmd("Plimsoll")
  driver.press("iwrite it down<C-s>")
  driver.see("chat", "Written down.")
  driver.idle()
  found.asked, found.untrusted = asked, driver.text("chat")
  found.written = vim.fn.filereadable("note.txt")
  vim.cmd("Plimsoll trust")
  vim.cmd("Plimsoll ask write it again")
  driver.wait("the question", function() return require("plimsoll.session").asking > 0 end)
  vim.cmd("Plimsoll allow")
  driver.wait("the file", function() return vim.fn.filereadable("note.txt") == 1 end)
  driver.idle()
  vim.cmd("Plimsoll stop")
  vim.cmd("Plimsoll start")
  driver.wait("the server", function() return driver.client() and driver.client().initialized end)
  found.times = #asked
end)
