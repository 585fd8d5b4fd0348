-- Makes the command :Plimsoll and the <Plug> mappings; everything else is loaded when it is first used.
if vim.g.loaded_plimsoll then return end
if vim.fn.has("nvim-0.11") == 0 then return vim.notify("Plimsoll needs Neovim 0.11 or later.", vim.log.levels.WARN) end
vim.g.loaded_plimsoll = true

local root = vim.fs.dirname(vim.fs.dirname(vim.fs.normalize(debug.getinfo(1, "S").source:sub(2))))
if not vim.list_contains(vim.opt.runtimepath:get(), root) then vim.opt.runtimepath:append(root) end

vim.api.nvim_create_user_command("Plimsoll", function(typed) require("plimsoll.command").run(typed) end, {
  nargs = "*",
  range = true,
  desc = "Plimsoll: chat, changes, context, memories, sessions",
  complete = function(...) return require("plimsoll.command").complete(...) end,
})

for _, name in ipairs({ "chat", "changes", "context", "memories", "sessions", "review", "cancel", "undo" }) do
  vim.keymap.set(
    "n",
    ("<Plug>(plimsoll-%s)"):format(name),
    ("<Cmd>Plimsoll %s<CR>"):format(name),
    { desc = "Plimsoll " .. name }
  )
end
vim.keymap.set("x", "<Plug>(plimsoll-ask)", ":Plimsoll ask ", { desc = "Plimsoll ask about the selection" })

local function link() require("plimsoll.highlights").link() end
link()
vim.api.nvim_create_autocmd("ColorScheme", { callback = link })

-- A file without problems was looked at too, and no list of problems says so.
vim.api.nvim_create_autocmd("DiagnosticChanged", {
  callback = function(event) require("plimsoll.looked_at")[event.buf] = vim.uv.hrtime() end,
})
