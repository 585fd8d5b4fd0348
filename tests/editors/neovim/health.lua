-- Loads each module by itself, builds the help, and reads :checkhealth with the server running.
local driver = dofile(vim.env.PLIMSOLL_DRIVER)
local found = driver.found

-- Keys of every mode that lead to the plugin, but for the names that it offers.
local function own_keys()
  local keys = {}
  for _, mode in ipairs({ "n", "x", "i", "v" }) do
    for _, map in ipairs(vim.api.nvim_get_keymap(mode)) do
      local leads_to = ((map.rhs or "") .. (map.desc or "")):lower()
      if not map.lhs:find("^<Plug>") and leads_to:find("plimsoll", 1, true) then
        table.insert(keys, map.lhs)
      end
    end
  end
  return keys
end

driver.run(function()
  driver.source()
  require("plimsoll").setup({ trust = true })
  local folder = vim.env.PLIMSOLL_PLUGIN
  found.modules = {}
  for name in vim.fs.dir(folder .. "/lua/plimsoll") do
    local module = name == "init.lua" and "plimsoll" or "plimsoll." .. name:gsub("%.lua$", "")
    found.modules[module] = type(require(module))
  end
  vim.cmd("Plimsoll start")
  driver.wait("the server", function() return driver.client() and driver.client().initialized end)
  vim.cmd("checkhealth plimsoll")
  found.health = vim.api.nvim_buf_get_lines(0, 0, -1, false)
  vim.cmd("help plimsoll-context")
  found.help = vim.fs.basename(vim.api.nvim_buf_get_name(0))
  found.globals = own_keys()
  require("plimsoll").setup({ trust = true, keys = "<leader>a" })
  found.keys_wanted = #own_keys()
  found.completed = vim.fn.getcompletion("Plimsoll me", "cmdline")
  found.subcommands = vim.fn.getcompletion("Plimsoll ", "cmdline")
  found.slashes = vim.fn.getcompletion("Plimsoll /pi", "cmdline")
  local text = 'see @load.py:2-3, @"a name.md" and @changes; not @decorator or x@load.py.'
  local parts = require("plimsoll.mentions").parts(text, vim.fn.getcwd())
  found.mentions = vim.tbl_map(function(part) return part.uri or part.type end, parts)
  found.slash_names = vim.tbl_map(function(each) return each.name end, require("plimsoll.slashes"))
  vim.cmd("Plimsoll")
  found.bar = vim.wo.winbar
  local completion = require("plimsoll.completion")
  found.offered = {}
  for _, line in ipairs({ "/comp", "/mode p", "look at @load.p", "nothing" }) do
    local column, items = completion.at(line, true)
    found.offered[line] = { column or 0, vim.tbl_map(function(item) return item.word end, items or {}) }
  end
end)
