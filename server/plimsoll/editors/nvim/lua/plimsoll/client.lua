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
  local markers = config.get().root_markers
  return vim.fs.root(0, markers) or vim.fs.root(vim.fn.getcwd(), markers) or vim.fn.getcwd()
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
  if trust.of(M.folder) == nil then trust.ask(M.folder, M.set_trust) end
end

local function on_exit(code, signal)
  id, ready, waiting = nil, false, {}
  vim.schedule(function()
    if code ~= 0 then
      M.notify(("the server ended (%d, signal %d); see :checkhealth plimsoll"):format(code, signal), 4)
    end
    for _, told in ipairs(M.exited) do
      told()
    end
  end)
end

local function init_options()
  local knows = config.get().code
  return {
    plimsoll = {
      protocolVersion = 1,
      capabilities = { sessionUpdates = true, permission = true, editorKnowledge = knows or nil },
      trusted = trust.of(M.folder) == true,
      settings = next(config.get().settings) and config.get().settings or nil,
    },
  }
end

local function handlers()
  local code = require("plimsoll.code")
  local all = { ["workspace/applyEdit"] = code.apply }
  return vim.tbl_extend("error", all, M.handlers, config.get().code and code.handlers or {})
end

-- Starts the server of a folder, default: that of the present file; one that runs is kept.
function M.start(path)
  local folder = folder_of(path)
  if M.get() and (not path or folder == M.folder) then return end
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
end

function M.stop()
  local client = M.get()
  if client then client:stop() end
  id, ready, waiting = nil, false, {}
end

-- Asks the server; calls back with the result, or with nil and the error, which is shown unless `quiet`.
function M.request(method, params, answered, quiet)
  M.start()
  local function send()
    local client = M.get()
    if not client then return end
    client:request(method, params, function(problem, result)
      if problem and not quiet then M.notify(M.words(problem), vim.log.levels.ERROR) end
      if answered then answered(result, problem) end
    end)
  end
  if ready then
    send()
  else
    table.insert(waiting, send)
  end
end

-- What is wrong, and what to do about it.
function M.words(problem)
  local remedy = type(problem.data) == "table" and problem.data.remedy
  return remedy and problem.message .. " " .. remedy or problem.message
end

function M.set_trust(trusted)
  local client = M.get()
  if not client then return end
  client:notify("plimsoll/didChangeTrust", { workspaceFolder = M.uri(), trusted = trusted })
end

return M
