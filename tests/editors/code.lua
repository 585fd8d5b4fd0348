-- What the agent hears of the code from Neovim, with the configuration that the documentation shows.
local variables = vim.fn.environ()
local file = vim.uri_from_fname(variables.PLIMSOLL_FILE)

local function wait(what, predicate)
  assert(vim.wait(30000, predicate, 20), what .. " never came")
end

local function range(line, first, last)
  return { start = { line = line, character = first }, ["end"] = { line = line, character = last } }
end

-- A language server in Neovim itself: it counts bytes, and reports a problem of every text.
local asked = {}
local function small(dispatchers)
  local function report(uri)
    local problem = { range = range(0, 0, 4), severity = 1, message = "it is too heavy", source = "small" }
    dispatchers.notification("textDocument/publishDiagnostics", { uri = uri, diagnostics = { problem } })
  end
  local answers = {
    initialize = {
      capabilities = {
        positionEncoding = "utf-8",
        textDocumentSync = 1,
        documentSymbolProvider = true,
        definitionProvider = true,
        referencesProvider = true,
        renameProvider = true,
        workspaceSymbolProvider = true,
      },
    },
    ["textDocument/documentSymbol"] = {
      { name = "load", kind = 13, range = range(0, 0, 8), selectionRange = range(0, 0, 4) },
    },
    ["workspace/symbol"] = {
      { name = "load", kind = 13, location = { uri = file, range = range(0, 0, 4) } },
    },
    ["textDocument/definition"] = { uri = file, range = range(0, 0, 4) },
    ["textDocument/references"] = { { uri = file, range = range(1, 14, 18) } },
    ["textDocument/rename"] = {
      changes = {
        [file] = {
          { range = range(0, 0, 4), newText = "cargo" },
          { range = range(1, 14, 18), newText = "cargo" },
        },
      },
    },
  }
  return {
    request = function(method, params, callback)
      asked[method] = params
      callback(nil, answers[method] or vim.NIL)
      return true, 1
    end,
    notify = function(method, params)
      if method:find("textDocument/did", 1, true) then report(params.textDocument.uri) end
      return true
    end,
    is_closing = function() return false end,
    terminate = function() end,
  }
end

local function work()
  dofile(variables.PLIMSOLL_CONFIG)
  vim.lsp.config("plimsoll", { init_options = { plimsoll = { trusted = true } } })
  vim.lsp.config("small", { cmd = small, filetypes = { "python" } })
  vim.lsp.enable("small")
  vim.fn.confirm = function() return 1 end
  vim.cmd.edit(variables.PLIMSOLL_FILE)
  wait("the servers", function()
    local clients = vim.lsp.get_clients({ bufnr = 0 })
    return #clients == 2 and clients[1].initialized and clients[2].initialized
  end)
  local client = vim.lsp.get_clients({ name = "plimsoll" })[1]
  local ended = false
  local update = client.handlers["plimsoll/session/update"]
  client.handlers["plimsoll/session/update"] = function(problem, params)
    ended = ended or params.update.kind == "turnEnded"
    update(problem, params)
  end
  vim.cmd("Plimsoll what is in the code?")
  wait("the end", function() return ended end)
  local folder = client.workspace_folders[1].uri
  local answer = client:request_sync("plimsoll/session/load", { workspaceFolder = folder }, 30000)
  local texts = {}
  for _, message in ipairs(answer.result.messages) do
    for _, part in ipairs(message.parts) do
      if part.type == "toolResult" then table.insert(texts, part.text) end
    end
  end
  local where = asked["textDocument/references"].position
  local lines = vim.api.nvim_buf_get_lines(vim.fn.bufnr(variables.PLIMSOLL_FILE), 0, -1, false)
  io.stdout:write(vim.json.encode({ texts = texts, position = where, lines = lines }), "\n")
end

local ok, problem = pcall(work)
if ok then
  vim.cmd("qall!")
else
  -- Without this a failed run would end with 0.
  io.stderr:write(tostring(problem), "\n")
  vim.cmd("cquit 1")
end
