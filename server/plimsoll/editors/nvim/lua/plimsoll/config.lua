-- The options of setup(), their defaults, and which program is started.
local M = {}

local DEFAULTS = {
  cmd = nil, -- the server's command line; default: the program that brought the plugin, else that of PATH
  root_markers = { ".git" },
  trust = "ask", -- "ask" once a folder, or true or false for every folder
  code = true, -- whether the agent may ask your other language servers
  settings = {}, -- settings of the server, as in docs/settings.md: { model = { name = "…" } }
  env = {}, -- variables of the server beside Neovim's own
  chat = { width = 0.45, prompt_height = 6 },
  keys = false, -- a prefix as "<leader>a" makes global mappings
}

local settings = vim.deepcopy(DEFAULTS)

function M.set(options)
  vim.validate("options", options, "table", true)
  for name in pairs(options or {}) do
    if DEFAULTS[name] == nil and name ~= "cmd" then error("plimsoll: there is no option " .. name, 0) end
  end
  settings = vim.tbl_deep_extend("force", DEFAULTS, options or {})
  return settings
end

function M.get() return settings end

-- The folder of the plugin: it lies in the package that has the server.
local function plugin_folder()
  local file = vim.fs.normalize(debug.getinfo(1, "S").source:sub(2))
  return vim.fs.dirname(vim.fs.dirname(vim.fs.dirname(file)))
end

-- The program that was installed with this plugin, where an environment has it; else that of PATH.
function M.program()
  local inside = plugin_folder():match("^(.*)/lib%d*/python[%d.]+/site%-packages/plimsoll/editors/nvim$")
  local own = inside and inside .. "/bin/plimsoll"
  if own and vim.fn.executable(own) == 1 then return own end
  return "plimsoll"
end

function M.command() return settings.cmd or { M.program(), "serve" } end

return M
