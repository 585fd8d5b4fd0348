-- The public functions of the plugin: setup(), status(), ask() and what a configuration may call.
local M = {}

local KEYS = { c = "chat", d = "changes", x = "context", m = "memories", s = "sessions", r = "review", u = "undo" }

local function map_keys(prefix)
  for key, name in pairs(KEYS) do
    vim.keymap.set("n", prefix .. key, ("<Plug>(plimsoll-%s)"):format(name), { desc = "Plimsoll " .. name })
  end
  vim.keymap.set("x", prefix .. "a", "<Plug>(plimsoll-ask)", { desc = "Plimsoll ask" })
end

-- Takes the options; without it all have their defaults. See |plimsoll-setup|.
function M.setup(options)
  local settings = require("plimsoll.config").set(options)
  if settings.keys then map_keys(settings.keys) end
end

-- The load line in a few characters, for 'statusline'; empty before the first session.
function M.status()
  local session = package.loaded["plimsoll.session"]
  return session and session.status() or ""
end

-- Says something to the agent, as typed into the prompt: text, slash command, mentions.
function M.ask(text, parts) require("plimsoll.session").prompt(text, parts) end

-- Opens the chat, and begins to type.
function M.chat() require("plimsoll.prompt").open() end

return M
