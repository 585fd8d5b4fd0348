"""The tables of a project's database, as its migrations make them."""

SESSION_TABLES = (
    """
CREATE TABLE sessions (
  key INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  workspace TEXT NOT NULL,
  title TEXT NOT NULL,
  mode TEXT NOT NULL,
  model TEXT NOT NULL,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  turns INTEGER NOT NULL,
  parent_id TEXT,
  preview TEXT NOT NULL
) STRICT
""",
    "CREATE INDEX sessions_by_use ON sessions (updated_at DESC, key DESC)",
    """
CREATE TABLE entries (
  session INTEGER NOT NULL REFERENCES sessions (key) ON DELETE CASCADE,
  place INTEGER NOT NULL,
  body TEXT NOT NULL,
  UNIQUE (session, place)
) STRICT
""",
)

MEMORY_TABLES = (
    """
CREATE TABLE memories (
  key INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  type TEXT NOT NULL,
  class TEXT NOT NULL,
  title TEXT NOT NULL,
  content TEXT NOT NULL,
  author TEXT NOT NULL,
  trust TEXT NOT NULL,
  state TEXT NOT NULL,
  before TEXT,
  pinned INTEGER NOT NULL,
  digest INTEGER NOT NULL,
  session_id TEXT,
  message_id TEXT,
  uri TEXT,
  sha256 TEXT,
  created_at TEXT NOT NULL,
  last_used_at TEXT,
  times_used INTEGER NOT NULL,
  expires_at TEXT,
  supersedes TEXT,
  fingerprint TEXT NOT NULL,
  origin TEXT,
  context TEXT NOT NULL,
  names TEXT NOT NULL
) STRICT
""",
    """
CREATE VIEW memory_records AS
SELECT key, id, type, class, title, content, author, trust, state, before, pinned, digest,
  session_id, message_id, uri, sha256, created_at, last_used_at, times_used, expires_at, supersedes
FROM memories
""",
    "CREATE INDEX memories_by_fingerprint ON memories (fingerprint)",
    "CREATE INDEX memories_by_origin ON memories (origin, key) WHERE origin IS NOT NULL",
    "CREATE INDEX memories_by_state ON memories (state, created_at)",
    """
CREATE INDEX memories_foremost ON memories (pinned, class = 'priority', created_at)
WHERE state IN ('active', 'stale')
""",
    """
CREATE INDEX memories_passing ON memories (digest, created_at)
WHERE class = 'working' AND state IN ('active', 'stale')
""",
    """
CREATE VIRTUAL TABLE memory_texts USING fts5(
  title, content, context, names,
  content = 'memories', content_rowid = 'key', tokenize = 'porter unicode61 remove_diacritics 2'
)
""",
    """
CREATE TABLE memory_events (
  key INTEGER PRIMARY KEY,
  at TEXT NOT NULL,
  memory_id TEXT NOT NULL,
  action TEXT NOT NULL,
  author TEXT NOT NULL,
  reason TEXT,
  fingerprint TEXT NOT NULL
) STRICT
""",
    "CREATE INDEX memory_events_by_memory ON memory_events (memory_id, key)",
    """
CREATE TABLE memory_tombstones (
  fingerprint TEXT PRIMARY KEY,
  memory_id TEXT NOT NULL,
  at TEXT NOT NULL
) STRICT, WITHOUT ROWID
""",
    """
CREATE TABLE memory_cursors (
  session_id TEXT PRIMARY KEY,
  message_id TEXT NOT NULL,
  count INTEGER NOT NULL
) STRICT, WITHOUT ROWID
""",
    "CREATE TABLE memory_key (value BLOB NOT NULL) STRICT",
    "INSERT INTO memory_key VALUES (randomblob(32))",
)
"""The state ``forgotten`` and the inbox stand in no full-text index: they cannot be found."""

PIN_TABLES = (
    # AUTOINCREMENT keeps the highest number ever given, so that none is given twice.
    """
CREATE TABLE workspace_pins (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  at TEXT NOT NULL,
  text TEXT NOT NULL
) STRICT
""",
)

RECALL_TABLES = (
    """
CREATE TABLE exchanges (
  key INTEGER PRIMARY KEY,
  session_id TEXT NOT NULL,
  place INTEGER NOT NULL,
  at TEXT NOT NULL,
  asked TEXT NOT NULL,
  concluded TEXT NOT NULL,
  names TEXT NOT NULL,
  UNIQUE (session_id, place)
) STRICT
""",
    """
CREATE VIRTUAL TABLE exchange_texts USING fts5(
  asked, concluded, names,
  content = 'exchanges', content_rowid = 'key', tokenize = 'porter unicode61 remove_diacritics 2'
)
""",
)
