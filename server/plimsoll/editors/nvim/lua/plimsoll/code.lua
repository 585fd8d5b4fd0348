-- What the other language servers of Neovim know of the code, for the agent that asks.
local M = {}

local function others(filter)
  return vim.tbl_filter(
    function(client) return client.name ~= "plimsoll" end,
    vim.lsp.get_clients(filter)
  )
end

local function loaded(uri)
  local buffer = vim.fn.bufadd(vim.uri_to_fname(uri))
  vim.fn.bufload(buffer)
  return buffer
end

-- Plimsoll counts UTF-16 units, a language server what it has agreed on with Neovim.
local function place(buffer, position, encoding)
  local row = vim.api.nvim_buf_get_lines(buffer, position.line, position.line + 1, false)[1] or ""
  local byte = vim.str_byteindex(row, "utf-16", position.character, false)
  return { line = position.line, character = vim.str_utfindex(row, encoding, byte, false) }
end

local ANSWER_MS, LOOK_MS = 3000, 50

-- Goes on with other things until `start` calls back: Neovim runs each handler of a request in a coroutine.
local function await(start)
  local asker, is_over = coroutine.running(), false
  start(function(result)
    if is_over then return end
    is_over = true
    -- Never within the call that waits.
    vim.schedule(function() coroutine.resume(asker, result) end)
  end)
  return coroutine.yield()
end

-- What a language server answers in time, else nil.
local function answer_of(client, method, params, buffer)
  return await(function(answered)
    vim.defer_fn(answered, ANSWER_MS)
    client:request(method, params, function(_, result) answered(result) end, buffer)
  end)
end

-- What the first other language server of a file answers, and how it counts.
local function ask(method, params, more)
  local buffer = loaded(params.uri)
  for _, client in ipairs(others({ bufnr = buffer, method = method })) do
    local asked = vim.tbl_extend("force", { textDocument = { uri = params.uri } }, more or {})
    if params.position then
      asked.position = place(buffer, params.position, client.offset_encoding)
    end
    local answer = answer_of(client, method, asked, buffer)
    if answer and answer ~= vim.NIL then return answer, client.offset_encoding end
  end
  return {}, "utf-16"
end

local function symbol(found)
  if not found.location then return found end
  local where = found.location
  return { name = found.name, kind = found.kind, uri = where.uri, range = where.range }
end

local function symbols(params)
  if params.uri then
    return { symbols = vim.tbl_map(symbol, (ask("textDocument/documentSymbol", params))) }
  end
  local found = {}
  for _, client in ipairs(others({ method = "workspace/symbol" })) do
    local answer = answer_of(client, "workspace/symbol", { query = params.query })
    vim.list_extend(found, answer and answer ~= vim.NIL and answer or {})
  end
  return { symbols = vim.tbl_map(symbol, found) }
end

local function locations(method, params, more)
  local found = ask(method, params, more)
  local list = found.uri and { found } or found
  return {
    locations = vim.tbl_map(function(each)
      return { uri = each.targetUri or each.uri, range = each.targetSelectionRange or each.range }
    end, list),
  }
end

local function problem(each)
  return {
    range = {
      start = { line = each.lnum, character = each.col },
      ["end"] = { line = each.end_lnum or each.lnum, character = each.end_col or each.col },
    },
    severity = each.severity,
    message = each.message,
    source = each.source,
    code = each.code,
  }
end

local looked_at = require("plimsoll.looked_at")

local function diagnostics(params)
  local begun, files, buffers = vim.uv.hrtime(), {}, {}
  for _, uri in ipairs(params.uris or {}) do
    -- A file that is not open yet may be about to be made.
    local buffer = vim.fn.bufnr(vim.uri_to_fname(uri))
    if buffer > 0 and vim.api.nvim_buf_is_loaded(buffer) then table.insert(buffers, buffer) end
  end
  if params.changed and #buffers > 0 then
    for _, buffer in ipairs(buffers) do
      vim.cmd.checktime(buffer)
    end
    local function is_new(buffer) return (looked_at[buffer] or 0) > begun end
    while not vim.iter(buffers):all(is_new) and vim.uv.hrtime() - begun < params.waitSeconds * 1e9 do
      await(function(waited) vim.defer_fn(waited, LOOK_MS) end)
    end
  end
  local asked = #(params.uris or {}) > 0
  for _, buffer in ipairs(asked and buffers or vim.tbl_keys(looked_at)) do
    if looked_at[buffer] and vim.api.nvim_buf_is_loaded(buffer) then
      local told = vim.tbl_map(problem, vim.diagnostic.get(buffer))
      table.insert(files, { uri = vim.uri_from_bufnr(buffer), diagnostics = told })
    end
  end
  return { files = files }
end

local function rename(params)
  local edit, encoding = ask("textDocument/rename", params, { newName = params.newName })
  local files, moved = {}, 0
  for uri, edits in pairs(edit.changes or {}) do
    table.insert(files, { uri = uri, edits = edits })
  end
  for _, change in ipairs(edit.documentChanges or {}) do
    if change.edits then
      table.insert(files, { uri = change.textDocument.uri, edits = change.edits })
    else
      moved = moved + 1
    end
  end
  return { files = files, positionEncoding = encoding, otherChanges = moved }
end

-- Lines that come behind the last one are put at its end: Neovim would leave an empty line below them.
local function put_at_end(uri, edits, encoding)
  local buffer = loaded(uri)
  local count = vim.api.nvim_buf_line_count(buffer)
  for _, edit in ipairs(edits) do
    if edit.range.start.line >= count then
      local last = vim.api.nvim_buf_get_lines(buffer, -2, -1, true)[1]
      local place = { line = count - 1, character = vim.str_utfindex(last, encoding) }
      edit.range = { start = place, ["end"] = place }
      edit.newText = "\n" .. edit.newText:gsub("\n$", "")
    end
  end
end

-- What was loaded for a question alone is in no list: an edit of it is saved, as nobody sees it.
local function apply(problem, params, context)
  local encoding = vim.lsp.get_client_by_id(context.client_id).offset_encoding
  for uri, edits in pairs(params.edit.changes or {}) do
    put_at_end(uri, edits, encoding)
  end
  for _, change in ipairs(params.edit.documentChanges or {}) do
    if change.edits then put_at_end(change.textDocument.uri, change.edits, encoding) end
  end
  -- Without its label, which Neovim would print with each edit: the chat shows the call.
  local answer = vim.lsp.handlers["workspace/applyEdit"](problem, { edit = params.edit }, context)
  local uris = vim.tbl_keys(params.edit.changes or {})
  for _, change in ipairs(params.edit.documentChanges or {}) do
    if change.edits then table.insert(uris, change.textDocument.uri) end
  end
  for _, uri in ipairs(uris) do
    local buffer = vim.fn.bufnr(vim.uri_to_fname(uri))
    if buffer > 0 and not vim.bo[buffer].buflisted then
      vim.api.nvim_buf_call(buffer, function() vim.cmd("silent write") end)
    end
  end
  return answer
end

local references = { context = { includeDeclaration = true } }

M.handlers = {
  ["plimsoll/editor/symbols"] = function(_, params) return symbols(params) end,
  ["plimsoll/editor/definition"] = function(_, params) return locations("textDocument/definition", params) end,
  ["plimsoll/editor/references"] = function(_, params)
    return locations("textDocument/references", params, references)
  end,
  ["plimsoll/editor/diagnostics"] = function(_, params) return diagnostics(params) end,
  ["plimsoll/editor/rename"] = function(_, params) return rename(params) end,
}
M.apply = apply

return M
