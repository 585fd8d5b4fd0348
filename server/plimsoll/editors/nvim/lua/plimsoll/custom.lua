-- Custom commands: Markdown files whose prompt is put where one types, and sent by the person.
local session = require("plimsoll.session")
local M = { list = {} }

local listed_for, expanded = nil, nil

-- Reads the list again where the session is another one.
local function refresh()
  if not session.info or listed_for == session.info.id then return end
  listed_for = session.info.id
  session.request("plimsoll/custom/list", {}, function(answer)
    if not answer then return end
    M.list = vim.tbl_filter(function(each) return each.enabled and not each.problem end, answer.commands)
  end)
end

-- Makes the prompt of `/name arguments`, and calls back with its text; false where there is no such command.
function M.expand(text, done)
  local name, arguments = text:match("^/(%S+)%s*(.*)$")
  local found = vim.iter(M.list):find(function(each) return each.name == name end)
  if not found then return false end
  session.request("plimsoll/custom/expand", { name = name, arguments = arguments }, function(answer)
    if not answer then return end
    expanded = answer
    for _, remark in ipairs(answer.remarks or {}) do
      vim.notify("Plimsoll: " .. remark)
    end
    done(answer.text)
  end)
  return true
end

-- What of a prompt nobody typed, in UTF-16 units: what the file says; all of it once it was changed.
function M.pasted(text)
  local made = expanded
  expanded = nil
  if not made then return nil end
  if vim.trim(made.text) == text and made.text:sub(1, #text) == text then return made.pasted end
  return { { 0, vim.str_utfindex(text, "utf-16") } }
end

session.listen(refresh)

return M
