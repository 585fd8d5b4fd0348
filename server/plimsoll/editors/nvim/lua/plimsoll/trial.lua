-- Starts the server in an empty folder and ends Neovim, with 1 if it did not answer: for `plimsoll doctor --editors`.
local M = {}

local function try()
  require("plimsoll.config").set({ trust = false })
  local client = require("plimsoll.client")
  assert(client.start(vim.fn.getcwd()), "it cannot be run: " .. require("plimsoll.config").command()[1])
  local answered = vim.wait(20000, function() return client.get() and client.get().initialized end, 20)
  assert(answered, "no answer from " .. table.concat(require("plimsoll.config").command(), " "))
  client.stop()
end

function M.run()
  local ok, problem = pcall(try)
  if ok then return vim.cmd("qall!") end
  io.stderr:write(tostring(problem), "\n")
  vim.cmd("cquit 1")
end

return M
