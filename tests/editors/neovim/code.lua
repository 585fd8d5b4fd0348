-- What the agent hears of the code from Neovim, with the plugin.
local driver = dofile(vim.env.PLIMSOLL_DRIVER)
local file = vim.uri_from_fname(vim.env.PLIMSOLL_FILE)

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
      vim.defer_fn(function() callback(nil, answers[method] or vim.NIL) end, 20)
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

-- What the tools brought, as the model reads it.
local function results()
  local params = { workspaceFolder = driver.client().workspace_folders[1].uri }
  local texts = {}
  for _, message in ipairs(driver.ask("plimsoll/session/load", params).messages) do
    for _, part in ipairs(message.parts) do
      if part.type == "toolResult" then table.insert(texts, part.text) end
    end
  end
  return texts
end

driver.run(function()
  driver.source()
  require("plimsoll").setup({ trust = true })
  vim.lsp.config("small", { cmd = small, filetypes = { "python" } })
  vim.lsp.enable("small")
  vim.cmd.edit(vim.env.PLIMSOLL_FILE)
  vim.cmd("Plimsoll start")
  driver.wait("the servers", function()
    local clients = vim.lsp.get_clients({ bufnr = 0 })
    return #clients == 2 and clients[1].initialized and clients[2].initialized
  end)
  vim.cmd("Plimsoll ask what is in the code?")
  driver.wait("the question", function() return require("plimsoll.session").asking > 0 end)
  vim.cmd("Plimsoll allow")
  driver.see("chat", "Seen.")
  driver.idle()
  driver.found.texts = results()
  driver.found.position = asked["textDocument/references"].position
  driver.found.lines = vim.api.nvim_buf_get_lines(vim.fn.bufnr(vim.env.PLIMSOLL_FILE), 0, -1, false)
end)
