-- A person's few minutes in Neovim, with the configuration that the documentation shows.
local variables = vim.fn.environ()
local kinds = {}

local function wait(what, predicate)
  assert(vim.wait(30000, predicate, 20), what .. " never came")
end

local function client()
  return vim.lsp.get_clients({ name = "plimsoll" })[1]
end

local function ask(method, params)
  local answer, problem = client():request_sync(method, params, 30000)
  assert(answer, problem)
  assert(not answer.err, vim.inspect(answer.err))
  return answer.result
end

local function chat()
  local buffer = vim.fn.bufnr("plimsoll://chat")
  return buffer < 0 and "" or table.concat(vim.api.nvim_buf_get_lines(buffer, 0, -1, false), "\n")
end

local function work()
  dofile(variables.PLIMSOLL_CONFIG)
  vim.lsp.config("plimsoll", { init_options = { plimsoll = { trusted = true } } })
  local questions = {}
  vim.fn.confirm = function(question)
    table.insert(questions, question)
    return 1
  end
  vim.cmd.edit(variables.PLIMSOLL_FILE)
  wait("the server", function() return client() and client().initialized end)
  local update = client().handlers["plimsoll/session/update"]
  client().handlers["plimsoll/session/update"] = function(problem, params)
    table.insert(kinds, params.update.kind)
    update(problem, params)
  end

  vim.cmd("Plimsoll write it down")
  wait("the answer", function() return chat():find("Written down.", 1, true) end)
  wait("the end", function() return vim.tbl_contains(kinds, "turnEnded") end)
  vim.cmd("Plimsoll what is lost?")
  wait("the word of the failure", function() return chat():find("not there.\n", 1, true) end)
  local folder = client().workspace_folders[1].uri
  local session = ask("plimsoll/session/list", { workspaceFolder = folder }).sessions[1].id
  local meter = ask(variables.PLIMSOLL_METHOD, { sessionId = session })
  local command = { command = "plimsoll.server.send", arguments = { { text = "/pin Keep it." } } }
  local pinned = ask("workspace/executeCommand", command)
  wait("the load line", function() return vim.g.plimsoll end)
  local found = { chat = chat(), kinds = kinds, questions = questions, meter = meter }
  found.pinned, found.loadLine = pinned.message, vim.g.plimsoll
  io.stdout:write(vim.json.encode(found), "\n")
  client():stop()
  wait("the end of the server", function() return not client() end)
end

local ok, problem = pcall(work)
if ok then
  vim.cmd("qall!")
else
  -- Without this a failed run would end with 0.
  io.stderr:write(tostring(problem), "\n")
  vim.cmd("cquit 1")
end
