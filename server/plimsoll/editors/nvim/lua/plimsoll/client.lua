-- The server of one folder: it is started with the first use, and asked.
local config = require("plimsoll.config")
local trust = require("plimsoll.trust")
local M = { folder = nil, handlers = {}, exited = {} }

local id, ready, waiting = nil, false, {}

function M.get() return id and vim.lsp.get_client_by_id(id) end

function M.uri() return vim.uri_from_fname(M.folder) end

function M.notify(text, level) vim.notify("Plimsoll: " .. text, level or vim.log.levels.INFO) end

local function folder_of(path)
  if path then return vim.fs.normalize(vim.fn.fnamemodify(path, ":p")):gsub("(.)/$", "%1") end
  -- The one that is shown goes on, whichever buffer asks for its server.
  if M.folder then return M.folder end
  local markers = config.get().root_markers
  local of_file = vim.bo.buftype == "" and vim.fs.root(0, markers)
  return of_file or vim.fs.root(vim.fn.getcwd(), markers) or vim.fn.getcwd()
end

local function is_file_of_folder(buffer)
  if vim.bo[buffer].buftype ~= "" or not vim.api.nvim_buf_is_loaded(buffer) then return false end
  local name = vim.fs.normalize(vim.api.nvim_buf_get_name(buffer))
  return vim.startswith(name, M.folder .. "/")
end

-- The server reads an open file as it stands in its buffer, unsaved too.
local function attach(buffer)
  if id and is_file_of_folder(buffer) then vim.lsp.buf_attach_client(buffer, id) end
end

local function attach_all()
  vim.tbl_map(attach, vim.api.nvim_list_bufs())
  local group = vim.api.nvim_create_augroup("plimsoll", { clear = true })
  vim.api.nvim_create_autocmd({ "BufReadPost", "BufNewFile", "BufFilePost" }, {
    group = group,
    callback = function(event)
      -- Behind what the event still does: the file's type and its buffer's options.
      vim.schedule(function()
        if vim.api.nvim_buf_is_valid(event.buf) then attach(event.buf) end
      end)
    end,
  })
end

local function on_init()
  ready = true
  attach_all()
  local calls = waiting
  waiting = {}
  for _, call in ipairs(calls) do
    call()
  end
end

local function forget()
  id, ready, waiting = nil, false, {}
  for _, told in ipairs(M.exited) do
    told()
  end
end

local function on_exit(code, signal, ended)
  vim.schedule(function()
    -- One that was stopped is forgotten already, and another may run.
    if ended ~= id then return end
    M.notify(("the server ended (%d, signal %d); see :checkhealth plimsoll"):format(code, signal), 4)
    forget()
  end)
end

local function init_options()
  local knows = config.get().code
  return {
    plimsoll = {
      protocolVersion = 1,
      capabilities = { sessionUpdates = true, permission = true, editorKnowledge = knows or nil, plans = true },
      trusted = trust.of(M.folder) == true,
      settings = next(config.get().settings) and config.get().settings or nil,
    },
  }
end

-- The table itself: what a module that is loaded later adds to it counts too.
local function handlers()
  local code = require("plimsoll.code")
  M.handlers["workspace/applyEdit"] = code.apply
  for method, handler in pairs(code.handlers) do
    M.handlers[method] = config.get().code and handler or nil
  end
  return M.handlers
end

-- Starts the server of a folder, default: that of the present file; one that runs is kept. Returns whether one runs.
function M.start(path)
  local folder = folder_of(path)
  if M.get() and (not path or folder == M.folder) then return true end
  M.stop()
  M.folder = folder
  id = vim.lsp.start({
    name = "plimsoll",
    cmd = config.command(),
    cmd_env = config.get().env,
    root_dir = folder,
    workspace_folders = { { uri = vim.uri_from_fname(folder), name = vim.fs.basename(folder) } },
    init_options = init_options(),
    settings = { plimsoll = config.get().settings },
    handlers = handlers(),
    on_init = on_init,
    on_exit = on_exit,
  }, { attach = false })
  -- Before anything can be typed that would answer it.
  if id and trust.of(folder) == nil then trust.ask(folder, M.set_trust) end
  return id ~= nil
end

function M.stop()
  local client = M.get()
  if client then client:stop() end
  forget()
end

local function once_ready(act)
  local function call()
    if M.get() then act(M.get()) end
  end
  if ready then return call() end
  if id then table.insert(waiting, call) end
end

-- Asks the server; calls back with the result, or with nil and the error, which is shown unless `quiet`.
function M.request(method, params, answered, quiet)
  M.start()
  once_ready(function(client)
    client:request(method, params, function(problem, result)
      if problem and not quiet then M.notify(M.words(problem), vim.log.levels.ERROR) end
      if answered then answered(result, problem) end
    end)
  end)
end

-- What is wrong, and what to do about it.
function M.words(problem)
  local remedy = type(problem.data) == "table" and problem.data.remedy
  return remedy and problem.message .. " " .. remedy or problem.message
end

-- Tells the server, with the next start it is told from the beginning.
function M.set_trust(trusted)
  once_ready(function(client)
    client:notify("plimsoll/didChangeTrust", { workspaceFolder = M.uri(), trusted = trusted })
  end)
end

return M
