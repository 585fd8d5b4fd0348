-- The list of what the next request carries: each item can be removed, pinned and restored, each reduction undone.
local list = require("plimsoll.list")
local session = require("plimsoll.session")
local words = require("plimsoll.words")
local M = {}

local NAME = "context"

local function again() list.refresh_shown(NAME) end

local function head(meter)
  local used, room = words.amount(meter.used), words.amount(meter.effective)
  local text = ("%s of %s tokens, %.0f %%, %s"):format(used, room, meter.percent, meter.zone)
  if meter.turnsLeft then text = ("%s, about %d turns left"):format(text, meter.turnsLeft) end
  local groups = { ok = "PlimsollOk", warning = "PlimsollWarning" }
  return { text = text, group = groups[meter.zone] or "PlimsollFailed" }
end

local function bar(meter, part)
  local cells = math.floor(30 * part.tokens / math.max(meter.used, 1) + 0.5)
  local text = ("  %-12s %9s %s"):format(words.kind(part.kind), words.amount(part.tokens), ("█"):rep(cells))
  return { text = text, group = "PlimsollNotice" }
end

local function item_row(item)
  local sign = item.pinned and "●" or " "
  local kind, state = words.kind(item.kind), words.state(item.state)
  local text = ("%s %9s  %-12s %-14s %s"):format(sign, words.amount(item.tokens), kind, state, item.title)
  return { text = text, group = item.pinned and "PlimsollPinned" or nil, thing = { item = item } }
end

local function receipt_row(receipt)
  local text = ("  %s, %s: %s"):format(words.reduction(receipt), words.weights(receipt), receipt.why)
  return { text = text, thing = { receipt = receipt } }
end

local function add_section(rows, title, things, belongs, row)
  local of_it = vim.tbl_filter(belongs, things)
  if #of_it == 0 then return end
  vim.list_extend(rows, { { text = "" }, { text = title, group = "PlimsollTitle" } })
  vim.list_extend(rows, vim.tbl_map(row, of_it))
end

local function rows_of(report)
  local rows = { head(report.meter) }
  for _, part in ipairs(report.meter.parts) do
    if part.tokens > 0 then table.insert(rows, bar(report.meter, part)) end
  end
  local items = vim.list_slice(report.items or {})
  table.sort(items, function(one, other) return one.tokens > other.tokens end)
  local function is_fixed(item) return item.kind == "tools" or item.kind == "system" end
  add_section(rows, "Items", items, function(item) return not is_fixed(item) end, item_row)
  add_section(rows, "Reductions", report.receipts, function(receipt)
    return receipt.status == "completed" and not receipt.undone
  end, receipt_row)
  add_section(rows, "In every request", items, is_fixed, item_row)
  return rows
end

local function read(show)
  session.request("plimsoll/context/report", { detail = "detail" }, function(report)
    if report then show(rows_of(report)) end
  end)
end

local function said(result)
  local receipt = result and result.receipt
  if receipt and receipt.undone then
    vim.notify(("Plimsoll: undone: %s."):format(words.reduction(receipt)))
  elseif receipt then
    vim.notify(("Plimsoll: %s, %s."):format(words.reduction(receipt), words.weights(receipt)))
  end
  again()
end

function M.remove(id) session.request("plimsoll/context/evict", { itemIds = { id } }, said) end

function M.restore(id) session.request("plimsoll/context/restore", { itemIds = { id } }, said) end

-- Undoes a reduction; without an id the newest.
function M.undo(id)
  if id then return session.request("plimsoll/context/undo", { editId = id }, said) end
  session.prompt("/undo")
end

local function toggle_pin(item)
  if not item.pinned then return session.request("plimsoll/pin/add", { itemId = item.id }, again) end
  session.request("plimsoll/pin/list", {}, function(answer)
    for _, pin in ipairs(answer and answer.pins or {}) do
      if pin.itemId == item.id or item.id == "pin." .. pin.id then
        session.request("plimsoll/pin/remove", { pinId = pin.id }, again)
      end
    end
  end)
end

local function on_item(action)
  return function(thing)
    if thing and thing.item then action(thing.item) end
  end
end

local function explain(thing)
  if thing and thing.item then
    session.request("plimsoll/context/explain", { itemId = thing.item.id }, function(answer)
      if answer then list.float(answer.markdown) end
    end)
  elseif thing and thing.receipt then
    session.request("plimsoll/context/diff", { editId = thing.receipt.id }, function(answer)
      if answer then M.show_diff(answer) end
    end)
  end
end

-- The view before and after a reduction, in diff mode.
function M.show_diff(answer)
  vim.cmd.tabnew()
  for number, text in ipairs({ answer.before, answer.after }) do
    if number == 2 then vim.cmd("rightbelow vertical new") end
    vim.api.nvim_buf_set_lines(0, 0, -1, true, vim.split(text, "\n"))
    vim.bo.buftype, vim.bo.bufhidden, vim.bo.modifiable = "nofile", "wipe", false
    vim.cmd.diffthis()
  end
end

local function undo_under(thing)
  M.undo(thing and thing.receipt and thing.receipt.id)
end

local VIEW = {
  name = NAME,
  title = "Context",
  read = read,
  keys = {
    { "x", "remove the item from the context", on_item(function(item) M.remove(item.id) end) },
    { "p", "pin the item, or unpin it", on_item(toggle_pin) },
    { "r", "bring the item back to its full text", on_item(function(item) M.restore(item.id) end) },
    { "u", "undo the reduction under the cursor, else the newest", undo_under },
    { "<CR>", "why the item is here; of a reduction what it changed", explain },
  },
}

function M.open() list.open(VIEW) end

session.listen(function()
  list.soon(NAME, function()
    -- A list is no reason to begin a session.
    if session.info then again() end
  end)
end)

return M
