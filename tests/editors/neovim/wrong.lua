-- A walk that goes wrong: it asks for a method that is not there.
local driver = dofile(vim.env.PLIMSOLL_DRIVER)

driver.run(function()
  driver.source()
  require("plimsoll").setup({ trust = true })
  vim.cmd("Plimsoll start")
  driver.wait("the server", function() return driver.client() and driver.client().initialized end)
  driver.ask("plimsoll/context/nothing", vim.empty_dict())
end)
