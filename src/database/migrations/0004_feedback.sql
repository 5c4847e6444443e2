-- Reader feedback, made for tens of millions of rows. Lists are walked newest first by (sort_at, id); every page of them,
-- however deep, is a range of an index, or a merge of a few ranges.

CREATE TABLE feedback (
  id text COLLATE "C" PRIMARY KEY,
  -- Of projects, without a foreign key: its check would lock the one row of the project in every vote, and votes of a
  -- site would wait for each other there.
  project_id text COLLATE "C" NOT NULL,
  source text COLLATE "C" NOT NULL CHECK (source IN ('code_snippet', 'contextual', 'agent', 'thumbs_only')),
  status text COLLATE "C" NOT NULL DEFAULT 'pending'
    CHECK (status IN ('pending', 'in_progress', 'resolved', 'dismissed')),
  -- Null: imported, and nobody knows when it was said.
  created_at timestamptz(3) DEFAULT clock_timestamp(),
  -- Where the entry stands in lists: those without a time come last.
  sort_at timestamptz(3) NOT NULL GENERATED ALWAYS AS (coalesce(created_at, '-infinity')) STORED,
  updated_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  path text COLLATE "C" NOT NULL,
  helpful boolean,
  reason text,
  comment text,
  has_comment boolean NOT NULL GENERATED ALWAYS AS (comment IS NOT NULL) STORED,
  contact text,
  code text,
  filename text,
  lang text,
  -- The revision of the site that the reader saw.
  page_version text,
  -- 16 bytes of SHA-256 over the project and the id that the client made: a repetition finds its entry by it.
  client_hash bytea,
  -- 16 bytes under a key that changes each day: tells senders of one day apart, and leads to nobody.
  address_hash bytea,
  CHECK (source NOT IN ('contextual', 'thumbs_only') OR helpful IS NOT NULL),
  CHECK ((source = 'code_snippet') = (code IS NOT NULL))
);

CREATE UNIQUE INDEX feedback_by_client ON feedback (client_hash) WHERE client_hash IS NOT NULL;
CREATE INDEX feedback_newest ON feedback (project_id, sort_at DESC, id DESC);
CREATE INDEX feedback_by_status ON feedback (project_id, status, sort_at DESC, id DESC);
CREATE INDEX feedback_by_source ON feedback (project_id, source, status, sort_at DESC, id DESC);
-- With all that counts by page need, so that they read no rows.
CREATE INDEX feedback_by_path ON feedback (project_id, path, sort_at DESC, id DESC)
  INCLUDE (source, status, helpful, has_comment);

-- Every change of a status (from, to) and every note alone (both null), in the order of id.
CREATE TABLE feedback_changes (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  feedback_id text COLLATE "C" NOT NULL REFERENCES feedback ON DELETE CASCADE,
  at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  -- `cli`, `system`, or the id of a key or a member.
  actor text NOT NULL,
  from_status text,
  to_status text,
  note text,
  CHECK ((from_status IS NULL) = (to_status IS NULL)),
  CHECK (to_status IS NOT NULL OR note IS NOT NULL)
);
CREATE INDEX feedback_changes_by_entry ON feedback_changes (feedback_id, id);
