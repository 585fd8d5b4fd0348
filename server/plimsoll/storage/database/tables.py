"""The statements that make the tables of a project's database, a group for each migration."""

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
"""Forgotten memories and those of the inbox are in no full-text index: searches cannot find
them."""

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

MEMORY_FIELDS = (
    "ALTER TABLE memories ADD COLUMN scope TEXT NOT NULL DEFAULT 'private'",
    "ALTER TABLE memories ADD COLUMN importance INTEGER",
    "ALTER TABLE memories ADD COLUMN tags TEXT NOT NULL DEFAULT '[]'",
    "ALTER TABLE memories ADD COLUMN removal INTEGER NOT NULL DEFAULT 0",
    "DROP VIEW memory_records",
    """
CREATE VIEW memory_records AS
SELECT key, id, type, class, title, content, author, trust, state, before, pinned, digest,
  session_id, message_id, uri, sha256, created_at, last_used_at, times_used, expires_at, supersedes,
  scope, importance, tags, removal
FROM memories
""",
    "DROP INDEX memories_foremost",
    """
CREATE INDEX memories_foremost
ON memories (pinned, class = 'priority', coalesce(importance, 3), created_at)
WHERE state IN ('active', 'stale')
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

AGENT_TABLES = (
    """
CREATE TABLE agents (
  session INTEGER PRIMARY KEY REFERENCES sessions (key) ON DELETE CASCADE,
  kind TEXT NOT NULL,
  depth INTEGER NOT NULL
) STRICT
""",
    """
CREATE VIEW session_records AS
SELECT sessions.key, id, workspace, title, mode, model, created_at, updated_at, turns, parent_id,
  preview, agents.kind AS agent, coalesce(agents.depth, 0) AS depth
FROM sessions LEFT JOIN agents ON agents.session = sessions.key
""",
)
"""A separate table, so that stored sessions keep their columns."""

SKILL_TABLES = (
    """
CREATE TABLE skills_off (
  name TEXT PRIMARY KEY,
  at TEXT NOT NULL
) STRICT, WITHOUT ROWID
""",
)

ADDRESS_TABLES = (
    """
CREATE TABLE session_addresses (
  session INTEGER NOT NULL REFERENCES sessions (key) ON DELETE CASCADE,
  place INTEGER NOT NULL,
  address TEXT NOT NULL,
  machine TEXT,
  UNIQUE (session, place)
) STRICT
""",
)

PERMISSION_TABLES = (
    """
CREATE TABLE permissions (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  at TEXT NOT NULL,
  kind TEXT NOT NULL,
  subject TEXT NOT NULL,
  what TEXT NOT NULL,
  covers TEXT NOT NULL,
  defined_by TEXT NOT NULL,
  UNIQUE (kind, subject)
) STRICT
""",
)

ORDER_TABLES = (
    """
CREATE TABLE memory_order (
  event INTEGER NOT NULL
) STRICT
""",
    "CREATE INDEX memories_of_files ON memories (sha256) WHERE sha256 IS NOT NULL",
    "CREATE INDEX memories_expiring ON memories (expires_at) WHERE expires_at IS NOT NULL",
)

SAID_TABLES = (
    """
CREATE TABLE said_stretches (
  key INTEGER PRIMARY KEY,
  session INTEGER NOT NULL REFERENCES sessions (key),
  first INTEGER NOT NULL,
  last INTEGER NOT NULL
) STRICT
""",
    "CREATE INDEX said_stretches_by_session ON said_stretches (session)",
    """
CREATE VIRTUAL TABLE said_texts USING fts5(
  words, content = '', columnsize = 0, detail = none, tokenize = 'trigram case_sensitive 1'
)
""",
    """
CREATE TABLE said_mark (
  entry INTEGER NOT NULL,
  session INTEGER NOT NULL,
  place INTEGER NOT NULL,
  unicode TEXT NOT NULL
) STRICT
""",
)
"""``first``, ``last`` and ``entry`` are row numbers of entries; searches fill the tables in
pieces."""

TEAM_TABLES = (
    """
CREATE TABLE team (
  project TEXT NOT NULL,
  name TEXT NOT NULL,
  url TEXT NOT NULL,
  joined_at TEXT NOT NULL,
  position INTEGER NOT NULL,
  seen_at TEXT
) STRICT
""",
    """
CREATE TABLE team_authors (
  key INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  at TEXT NOT NULL
) STRICT
""",
    # AUTOINCREMENT: what was sent must never give its place to what comes later.
    """
CREATE TABLE team_outbox (
  place INTEGER PRIMARY KEY AUTOINCREMENT,
  key TEXT NOT NULL UNIQUE,
  body TEXT NOT NULL
) STRICT
""",
    """
CREATE TABLE team_sessions (
  key INTEGER PRIMARY KEY,
  session TEXT NOT NULL UNIQUE,
  record TEXT NOT NULL,
  length INTEGER NOT NULL,
  machine TEXT NOT NULL,
  held INTEGER NOT NULL,
  sent INTEGER NOT NULL DEFAULT 0,
  fence INTEGER,
  deleted INTEGER NOT NULL DEFAULT 0,
  stays INTEGER NOT NULL DEFAULT 0
) STRICT
""",
    """
CREATE TABLE memory_sharing (
  memory INTEGER PRIMARY KEY REFERENCES memories (key) ON DELETE CASCADE,
  version INTEGER,
  author_name TEXT
) STRICT
""",
    """
CREATE TABLE pin_sharing (
  pin INTEGER PRIMARY KEY REFERENCES workspace_pins (number) ON DELETE CASCADE,
  author_name TEXT,
  scope TEXT NOT NULL
) STRICT
""",
    "DROP VIEW memory_records",
    """
CREATE VIEW memory_records AS
SELECT key, id, type, class, title, content, author, trust, state, before, pinned, digest,
  session_id, message_id, uri, sha256, created_at, last_used_at, times_used, expires_at, supersedes,
  scope, importance, tags, removal, author_name, version,
  CASE WHEN version IS NOT NULL THEN (SELECT max(seen_at) FROM team) END AS seen_at
FROM memories LEFT JOIN memory_sharing ON memory_sharing.memory = memories.key
""",
)
"""Separate tables, so that stored memories and pins keep their columns. Of a session ``record`` and
``length`` are what the team's server has, and ``sent`` how much of that is the log here."""
