-- What each walk through the plugin shares: waiting, the server, the buffers, and an exit code that tells.
local driver = { found = {} }

-- Loads the plugin as a person does, by the one line.
function driver.source() assert(loadstring(vim.env.PLIMSOLL_LINE))() end

function driver.wait(what, predicate)
  assert(vim.wait(120000, predicate, 20), what .. " never came")
end

function driver.client()
  return vim.lsp.get_clients({ name = "plimsoll" })[1]
end

function driver.ask(method, params)
  local answer, problem = driver.client():request_sync(method, params, 120000)
  assert(answer, problem)
  assert(not answer.err, vim.inspect(answer.err))
  return answer.result
end

-- The lines of the buffer of that name.
function driver.lines(name)
  local buffer = vim.fn.bufnr("^plimsoll://" .. name .. "$")
  return buffer < 0 and {} or vim.api.nvim_buf_get_lines(buffer, 0, -1, false)
end

function driver.text(name) return table.concat(driver.lines(name), "\n") end

function driver.see(name, words)
  local ok = vim.wait(120000, function() return driver.text(name):find(words, 1, true) end, 20)
  assert(ok, ("%q never came in %s:\n%s"):format(words, name, driver.text(name)))
end

-- Presses keys as a person does, in the present window.
function driver.press(keys)
  vim.api.nvim_feedkeys(vim.keycode(keys), "xt", false)
end

-- Puts the cursor onto the first line with these words, in the present window.
function driver.go_to(words)
  for number, line in ipairs(vim.api.nvim_buf_get_lines(0, 0, -1, false)) do
    if line:find(words, 1, true) then return vim.api.nvim_win_set_cursor(0, { number, 0 }) end
  end
  error(("%q is not in\n%s"):format(words, table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), "\n")))
end

function driver.idle()
  driver.wait("the end of the turn", function()
    local session = require("plimsoll.session")
    return session.info and not session.turn
  end)
end

-- Runs a walk, writes what it found as JSON, and ends Neovim.
function driver.run(work)
  local ok, problem = pcall(work)
  if ok then
    io.stdout:write(vim.json.encode(driver.found), "\n")
    vim.cmd("qall!")
  else
    -- Without this a failed run would end with 0.
    io.stderr:write(tostring(problem), "\n", vim.api.nvim_exec2("messages", { output = true }).output, "\n")
    vim.cmd("cquit 1")
  end
end

return driver
