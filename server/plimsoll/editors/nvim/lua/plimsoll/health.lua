-- :checkhealth plimsoll: whether Neovim is new enough, the program is there, and the server answers.
local M = {}

local function check_neovim()
  if vim.fn.has("nvim-0.11") == 1 then return vim.health.ok("Neovim " .. tostring(vim.version())) end
  vim.health.error("Neovim is older than 0.11", "Install Neovim 0.11 or later.")
end

local function check_program()
  local program = require("plimsoll.config").command()[1]
  if vim.fn.executable(program) == 0 then
    local advice = 'Install it, or name it: require("plimsoll").setup({ cmd = { "/path/plimsoll", "serve" } })'
    vim.health.error(program .. " cannot be run", advice)
    return false
  end
  local done = vim.system({ program, "--version" }, { text = true }):wait(10000)
  if done.code ~= 0 then
    vim.health.error(program .. " --version failed: " .. vim.trim(done.stderr))
    return false
  end
  vim.health.ok(("%s, %s"):format(vim.trim(done.stdout), vim.fn.exepath(program)))
  return true
end

local function check_server()
  local client = package.loaded["plimsoll.client"] and require("plimsoll.client").get()
  if not client then return vim.health.info("The server is not running: it starts with :Plimsoll.") end
  vim.health.ok("The server runs in " .. client.root_dir)
  local answer = client:request_sync("plimsoll/status", vim.empty_dict(), 20000)
  if not answer or not answer.result then return vim.health.error("The server does not answer.") end
  vim.health.ok("Model: " .. answer.result.model)
  for _, warning in ipairs(answer.result.warnings) do
    vim.health.warn(warning.message, warning.remedy)
  end
end

local function check_trust()
  local client = package.loaded["plimsoll.client"]
  if not client or not client.folder then return end
  local trusted = require("plimsoll.trust").of(client.folder)
  local untrusted = "The folder is not trusted: the agent reads only. :Plimsoll trust"
  vim.health.info(trusted and "The folder is trusted." or untrusted)
end

function M.check()
  vim.health.start("Plimsoll")
  check_neovim()
  if check_program() then
    check_server()
    check_trust()
  end
end

return M
