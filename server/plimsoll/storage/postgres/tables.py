"""The tables of a shared PostgreSQL, in plain SQL for its versions 13 to 18, without an extension.

Whoever writes a row is recorded by the engine (``DEFAULT current_user``): nobody may name another.
"""

from collections.abc import Sequence
from typing import LiteralString

_PROJECTS: Sequence[LiteralString] = (
    """
CREATE TABLE plimsoll.projects (
  id uuid PRIMARY KEY,
  name text NOT NULL UNIQUE,
  clock bigint NOT NULL DEFAULT 0,
  fingerprint_key bytea NOT NULL,
  found bigint NOT NULL DEFAULT 0,
  found_words bigint NOT NULL DEFAULT 0,
  ordered bigint
)
""",
    # One row a project: a policy that reads the rows which it guards would call itself.
    """
CREATE TABLE plimsoll.members (
  project uuid PRIMARY KEY REFERENCES plimsoll.projects (id) ON DELETE CASCADE,
  rights jsonb NOT NULL CHECK (jsonb_typeof(rights) = 'object')
)
""",
    # Whoever wrote SQL by hand could turn the clock back, and others would miss changes.
    """
CREATE FUNCTION plimsoll.count_on() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog
AS 'BEGIN NEW.clock := OLD.clock + 1; RETURN NEW; END'
""",
    """
CREATE TRIGGER count_on BEFORE UPDATE OF clock ON plimsoll.projects
FOR EACH ROW EXECUTE FUNCTION plimsoll.count_on()
""",
)

_MEMORIES: Sequence[LiteralString] = (
    """
CREATE TABLE plimsoll.memories (
  project uuid NOT NULL REFERENCES plimsoll.projects (id) ON DELETE CASCADE,
  key bigint NOT NULL,
  id text NOT NULL,
  owner text NOT NULL DEFAULT current_user,
  written_by text NOT NULL DEFAULT current_user,
  version integer NOT NULL DEFAULT 1,
  changed bigint NOT NULL,
  gone boolean NOT NULL DEFAULT false,
  type text NOT NULL,
  class text NOT NULL,
  title text NOT NULL,
  content text NOT NULL,
  author text NOT NULL,
  trust text NOT NULL,
  state text NOT NULL,
  before text,
  pinned boolean NOT NULL,
  digest boolean NOT NULL,
  session_id text,
  message_id text,
  uri text,
  sha256 text,
  created_at text COLLATE "C" NOT NULL,
  last_used_at text,
  times_used integer NOT NULL DEFAULT 0,
  expires_at text,
  supersedes text,
  scope text NOT NULL,
  importance integer,
  tags text NOT NULL,
  removal boolean NOT NULL,
  fingerprint text NOT NULL,
  origin text,
  words tsvector,
  word_count integer NOT NULL DEFAULT 0,
  PRIMARY KEY (project, id),
  CONSTRAINT private_types CHECK (scope <> 'team' OR type NOT IN ('user', 'feedback')),
  CONSTRAINT gone_without_text CHECK (NOT gone OR (
    title = '' AND content = '' AND tags = '[]' AND fingerprint = '' AND words IS NULL
    AND coalesce(session_id, message_id, uri, sha256, expires_at, supersedes, origin) IS NULL))
)
""",
    "CREATE INDEX memories_by_key ON plimsoll.memories (project, key)",
    "CREATE INDEX memories_by_fingerprint ON plimsoll.memories (project, fingerprint)",
    "CREATE INDEX memories_by_state ON plimsoll.memories (project, state, created_at, key)",
    "CREATE INDEX memories_by_origin ON plimsoll.memories (project, origin, key)",
    "CREATE INDEX memories_by_change ON plimsoll.memories (project, changed)",
    "CREATE INDEX memories_by_words ON plimsoll.memories USING gin (words)",
    """
CREATE TABLE plimsoll.memory_events (
  project uuid NOT NULL REFERENCES plimsoll.projects (id) ON DELETE CASCADE,
  key bigint NOT NULL,
  at text NOT NULL,
  memory_id text NOT NULL,
  action text NOT NULL,
  author text NOT NULL,
  reason text,
  fingerprint text,
  PRIMARY KEY (project, key)
)
""",
    "CREATE INDEX memory_events_of ON plimsoll.memory_events (project, memory_id, key)",
    """
CREATE TABLE plimsoll.memory_tombstones (
  project uuid NOT NULL REFERENCES plimsoll.projects (id) ON DELETE CASCADE,
  fingerprint text NOT NULL,
  memory_id text NOT NULL,
  at text NOT NULL,
  PRIMARY KEY (project, fingerprint)
)
""",
    """
CREATE TABLE plimsoll.memory_cursors (
  project uuid NOT NULL REFERENCES plimsoll.projects (id) ON DELETE CASCADE,
  session_id text NOT NULL,
  read_by text NOT NULL,
  message_id text NOT NULL,
  count integer NOT NULL,
  PRIMARY KEY (project, session_id, read_by)
)
""",
)

_PINS: Sequence[LiteralString] = (
    """
CREATE TABLE plimsoll.pins (
  project uuid NOT NULL REFERENCES plimsoll.projects (id) ON DELETE CASCADE,
  id text NOT NULL,
  owner text NOT NULL DEFAULT current_user,
  changed bigint NOT NULL,
  number integer NOT NULL DEFAULT 0,
  at text NOT NULL,
  text text,
  scope text NOT NULL,
  PRIMARY KEY (project, id)
)
""",
    "CREATE INDEX pins_by_change ON plimsoll.pins (project, changed)",
)

_SESSIONS: Sequence[LiteralString] = (
    """
CREATE TABLE plimsoll.sessions (
  project uuid NOT NULL REFERENCES plimsoll.projects (id) ON DELETE CASCADE,
  owner text NOT NULL DEFAULT current_user,
  key bigint NOT NULL,
  id text NOT NULL,
  changed bigint NOT NULL,
  gone boolean NOT NULL DEFAULT false,
  workspace text NOT NULL,
  title text NOT NULL,
  mode text NOT NULL,
  model text NOT NULL,
  created_at text NOT NULL,
  updated_at text COLLATE "C" NOT NULL,
  turns integer NOT NULL,
  parent_id text,
  preview text NOT NULL,
  agent text,
  depth integer NOT NULL,
  addresses text NOT NULL,
  length integer NOT NULL,
  written bigint,
  machine text NOT NULL DEFAULT '',
  holder_id text,
  fence bigint NOT NULL DEFAULT 0,
  holder text,
  held_until timestamptz,
  PRIMARY KEY (project, owner, key),
  UNIQUE (project, owner, id),
  CONSTRAINT gone_without_text CHECK (
    NOT gone OR (workspace = '' AND title = '' AND preview = '' AND addresses = '[]'))
)
""",
    "CREATE INDEX sessions_by_change ON plimsoll.sessions (project, owner, changed)",
    """
CREATE TABLE plimsoll.entries (
  project uuid NOT NULL,
  owner text NOT NULL DEFAULT current_user,
  session bigint NOT NULL,
  place integer NOT NULL,
  body text NOT NULL,
  PRIMARY KEY (project, owner, session, place),
  FOREIGN KEY (project, owner, session)
    REFERENCES plimsoll.sessions (project, owner, key) ON DELETE CASCADE
)
""",
)

_OPERATIONS: Sequence[LiteralString] = (
    """
CREATE TABLE plimsoll.operations (
  project uuid NOT NULL REFERENCES plimsoll.projects (id) ON DELETE CASCADE,
  role text NOT NULL DEFAULT current_user,
  key uuid NOT NULL,
  at timestamptz NOT NULL DEFAULT now(),
  outcome text NOT NULL,
  PRIMARY KEY (project, role, key)
)
""",
)

TABLES: Sequence[LiteralString] = (*_PROJECTS, *_MEMORIES, *_PINS, *_SESSIONS, *_OPERATIONS)
"""The statements that make all tables of the first version."""
