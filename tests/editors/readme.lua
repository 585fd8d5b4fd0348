-- A person's first minute in Neovim, with the lines that the README shows.
local variables = vim.fn.environ()

local function wait(what, predicate)
  assert(vim.wait(30000, predicate, 20), what .. " never came")
end

local function shown()
  local lines = {}
  for _, window in ipairs(vim.api.nvim_list_wins()) do
    vim.list_extend(lines, vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(window), 0, -1, false))
  end
  return table.concat(lines, "\n")
end

local function work()
  dofile(variables.PLIMSOLL_CONFIG)
  vim.cmd.edit(variables.PLIMSOLL_FILE)
  wait("the server", function()
    local client = vim.lsp.get_clients({ name = "plimsoll" })[1]
    return client and client.initialized
  end)
  vim.cmd("Ask " .. variables.PLIMSOLL_PROMPT)
  wait("the answer", function() return #vim.api.nvim_list_wins() > 1 end)
  io.stdout:write(vim.json.encode({ shown = shown() }), "\n")
end

local ok, problem = pcall(work)
if ok then
  vim.cmd("qall!")
else
  io.stderr:write(tostring(problem), "\n")
  vim.cmd("cquit 1")
end
