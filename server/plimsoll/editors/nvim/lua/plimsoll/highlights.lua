-- The highlight groups, each linked to one that every colour scheme has.
local M = {}

local LINKS = {
  PlimsollTitle = "Title",
  PlimsollPrompt = "Identifier",
  PlimsollThought = "Comment",
  PlimsollCall = "Function",
  PlimsollNotice = "Comment",
  PlimsollOk = "DiagnosticOk",
  PlimsollWarning = "DiagnosticWarn",
  PlimsollFailed = "DiagnosticError",
  PlimsollPinned = "Special",
}

function M.link()
  for name, to in pairs(LINKS) do
    vim.api.nvim_set_hl(0, name, { link = to, default = true })
  end
end

return M
