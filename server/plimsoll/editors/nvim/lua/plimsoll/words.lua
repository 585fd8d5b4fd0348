-- The words for people of what the wire names: states, kinds, reductions, and amounts of tokens.
local M = {}

local STATES = {
  verbatim = "",
  truncated = "shortened",
  referred = "shown earlier",
  superseded = "outdated",
  pruned = "removed",
  summarised = "in the summary",
  evicted = "removed",
  trimmed = "removed",
}

local KINDS = {
  memories = "memories",
  recall = "earlier talk",
  toolResults = "tool result",
  user = "you",
  assistant = "answer",
  reasoning = "thought",
  attachments = "attachment",
}

local STAGES = {
  truncate = { "shortened", "long output" },
  refer = { "left out", "repeated result" },
  dedup = { "removed", "outdated result" },
  prune = { "removed", "old result" },
  digest = { "summarised", "item" },
  compact = { "summarised", "item" },
  trim = { "removed", "oldest item" },
  evict = { "removed", "item" },
  restore = { "brought back", "item" },
}

function M.state(name) return STATES[name] or name end

function M.kind(name) return KINDS[name] or name end

-- 12345 as 12,345.
function M.amount(tokens) return (tostring(tokens):reverse():gsub("(%d%d%d)", "%1,"):reverse():gsub("^,", "")) end

-- "1 change", "2 changes".
function M.counted(count, word) return ("%d %s%s"):format(count, word, count == 1 and "" or "s") end

-- What a reduction did: "removed 2 items".
function M.reduction(receipt)
  local words = STAGES[receipt.stage] or { "changed", "item" }
  return ("%s %s"):format(words[1], M.counted(#receipt.items, words[2]))
end

-- What it weighed before and after: "5,440 -> 2,553 tokens".
function M.weights(receipt)
  return ("%s -> %s tokens"):format(M.amount(receipt.tokensBefore), M.amount(receipt.tokensAfter))
end

return M
