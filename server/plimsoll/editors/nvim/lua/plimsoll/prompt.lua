-- The window below the chat in which a prompt is typed.
local chat = require("plimsoll.chat")
local config = require("plimsoll.config")
local custom = require("plimsoll.custom")
local session = require("plimsoll.session")
local M = {}

local NAME = "plimsoll://prompt"

local function text_of(buffer) return vim.trim(table.concat(vim.api.nvim_buf_get_lines(buffer, 0, -1, false), "\n")) end

local function set_text(buffer, text) vim.api.nvim_buf_set_lines(buffer, 0, -1, true, vim.split(text, "\n")) end

-- Says what is typed.
function M.send()
  local buffer = M.buffer()
  local text = text_of(buffer)
  if text == "" then return end
  if custom.expand(text, function(prompt) set_text(buffer, prompt) end) then return end
  set_text(buffer, "")
  -- A question opens by itself in Normal mode alone: what is being typed must not answer it.
  vim.cmd.stopinsert()
  session.prompt(text, nil, custom.pasted(text))
end

local function map(buffer)
  local function set(modes, key, action, told)
    vim.keymap.set(modes, key, action, { buffer = buffer, desc = "Plimsoll: " .. told })
  end
  set("n", "<CR>", M.send, "say it")
  set("i", "<C-s>", M.send, "say it")
  set("n", "<C-c>", session.cancel, "stop the turn")
  set("n", "q", "<Cmd>close<CR>", "close")
end

local function new_buffer()
  local buffer = vim.api.nvim_create_buf(false, true)
  vim.api.nvim_buf_set_name(buffer, NAME)
  vim.bo[buffer].filetype = "plimsoll-prompt"
  map(buffer)
  require("plimsoll.completion").attach(buffer)
  return buffer
end

function M.buffer()
  local buffer = vim.fn.bufnr("^" .. NAME .. "$")
  return buffer >= 0 and buffer or new_buffer()
end

-- Opens chat and prompt, and begins to type.
function M.open()
  require("plimsoll.client").start()
  M.show()
  vim.cmd.startinsert({ bang = true })
end

-- Opens chat and prompt; the cursor goes into the prompt.
function M.show()
  chat.open()
  local buffer = M.buffer()
  local window = vim.fn.bufwinid(buffer)
  if window >= 0 then return vim.api.nvim_set_current_win(window) end
  local height = config.get().chat.prompt_height
  window = vim.api.nvim_open_win(buffer, true, { split = "below", win = 0, height = height })
  vim.wo[window].winfixheight, vim.wo[window].number, vim.wo[window].relativenumber = true, false, false
  vim.wo[window].winbar = "%#PlimsollTitle#Say%* Enter or Ctrl-S sends · / commands · @ files"
end

-- Puts a prompt that was not said back to where it was typed, before what stands there.
function M.give_back(content)
  local buffer = M.buffer()
  for _, part in ipairs(content) do
    if part.type == "text" then set_text(buffer, vim.trim(part.text .. "\n" .. text_of(buffer))) end
  end
end

return M
