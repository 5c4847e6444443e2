-- Accounts: who may do what, how often, and who did it.
-- Ids and host names compare byte by byte, so that cursors order the same on every server.

CREATE TABLE organizations (
  id text COLLATE "C" PRIMARY KEY,
  name text NOT NULL,
  plan text NOT NULL CHECK (plan IN ('free', 'pro', 'enterprise')),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now()
);

CREATE TABLE projects (
  id text COLLATE "C" PRIMARY KEY,
  site_id text COLLATE "C" NOT NULL UNIQUE,
  organization_id text COLLATE "C" NOT NULL REFERENCES organizations,
  name text NOT NULL,
  source_kind text NOT NULL CHECK (source_kind IN ('folder', 'git')),
  -- An absolute folder, or a git URL.
  repository text NOT NULL,
  -- Null: the default branch of the repository.
  ref text,
  -- Where docs.json lies, relative to the root of the source; empty: the root.
  docs_folder text NOT NULL DEFAULT '',
  default_deployment text NOT NULL DEFAULT 'client-hosted'
    CHECK (default_deployment IN ('client-hosted', 'air-gapped')),
  -- The caller's choice for features that are configurable: { "search": true }.
  features jsonb NOT NULL DEFAULT '{}',
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE INDEX projects_by_organization ON projects (organization_id, created_at, id);

-- A host name belongs to one project in the whole installation.
CREATE TABLE project_domains (
  domain text COLLATE "C" PRIMARY KEY CHECK (domain = lower(domain)),
  project_id text COLLATE "C" NOT NULL REFERENCES projects ON DELETE CASCADE,
  -- In microseconds: the oldest one is the project's main address.
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX project_domains_by_project ON project_domains (project_id);

CREATE TABLE api_keys (
  id text COLLATE "C" PRIMARY KEY,
  organization_id text COLLATE "C" NOT NULL REFERENCES organizations,
  name text NOT NULL,
  -- SHA-256 of the whole text of the key.
  hash bytea NOT NULL UNIQUE,
  last_four text NOT NULL,
  scopes text[] NOT NULL CHECK (scopes <@ ARRAY['read', 'write'] AND cardinality(scopes) > 0),
  -- Addresses and CIDR ranges; empty: from anywhere.
  allow_list text[] NOT NULL DEFAULT '{}',
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  -- Null: never.
  expires_at timestamptz(3),
  revoked_at timestamptz(3),
  last_used_at timestamptz(3)
);
CREATE INDEX api_keys_by_organization ON api_keys (organization_id, created_at, id);

CREATE TABLE audit_rows (
  id text COLLATE "C" PRIMARY KEY,
  organization_id text COLLATE "C" NOT NULL,
  -- `cli`, `system`, or the id of a key or a member.
  actor text NOT NULL,
  -- `api_key.created`
  action text NOT NULL,
  -- The id, or the host name, of what was changed.
  subject text NOT NULL,
  details jsonb NOT NULL DEFAULT '{}',
  at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE INDEX audit_rows_by_organization ON audit_rows (organization_id, at, id);

-- One row for each accepted request of the rolling windows.
CREATE TABLE rate_hits (
  bucket text COLLATE "C" NOT NULL,
  at timestamptz NOT NULL
);
CREATE INDEX rate_hits_by_bucket ON rate_hits (bucket, at);

-- Takes one place in a bucket's rolling window when there is one. Callers of one bucket stand in line until the end of
-- the transaction; the hit counts once that has committed. Needs READ COMMITTED: each statement here must see what the
-- caller before us committed. The time is the clock's, read when it is our turn, not that of the transaction's start.
-- A caller who is at most 5 ms early waits for the place: timers run that much fast, and whoever comes back after the
-- seconds that he was told to wait must find his place.
CREATE FUNCTION take_from_window(
  p_bucket text, p_limit integer, p_seconds integer,
  OUT accepted boolean, OUT used integer, OUT free_after_seconds double precision
) LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  v_now timestamptz;
  v_start timestamptz;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('rate:' || p_bucket, 0));
  LOOP
    v_now := clock_timestamp();
    v_start := v_now - make_interval(secs => p_seconds);
    DELETE FROM rate_hits WHERE bucket = p_bucket AND at <= v_start;
    SELECT count(*) INTO used FROM rate_hits WHERE bucket = p_bucket;
    accepted := used < p_limit;
    IF accepted THEN
      INSERT INTO rate_hits (bucket, at) VALUES (p_bucket, v_now);
      used := used + 1;
    END IF;
    -- The next place is free when the oldest hit leaves; with a limit that was lowered, when enough of them have left.
    SELECT extract(epoch FROM at - v_start) INTO free_after_seconds
      FROM rate_hits WHERE bucket = p_bucket ORDER BY at OFFSET greatest(used - p_limit, 0) LIMIT 1;
    EXIT WHEN accepted OR free_after_seconds IS NULL OR free_after_seconds > 0.005;
    PERFORM pg_sleep(free_after_seconds);
  END LOOP;
END $$;

-- What take_from_window would find now; counts nothing and waits for nobody.
CREATE FUNCTION peek_window(
  p_bucket text, p_limit integer, p_seconds integer,
  OUT accepted boolean, OUT used integer, OUT free_after_seconds double precision
) LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  v_start timestamptz := clock_timestamp() - make_interval(secs => p_seconds);
BEGIN
  SELECT count(*) INTO used FROM rate_hits WHERE bucket = p_bucket AND at > v_start;
  accepted := used < p_limit;
  SELECT extract(epoch FROM at - v_start) INTO free_after_seconds
    FROM rate_hits WHERE bucket = p_bucket AND at > v_start
    ORDER BY at OFFSET greatest(used - p_limit, 0) LIMIT 1;
END $$;

-- The first answer to each POST with an Idempotency-Key, kept for 24 hours.
CREATE TABLE idempotent_answers (
  caller_id text COLLATE "C" NOT NULL,
  method text COLLATE "C" NOT NULL,
  path text COLLATE "C" NOT NULL,
  key text COLLATE "C" NOT NULL,
  body_hash text NOT NULL,
  status integer NOT NULL,
  headers jsonb NOT NULL,
  -- The bytes that were sent, to be sent again.
  body text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (caller_id, method, path, key)
);
CREATE INDEX idempotent_answers_by_time ON idempotent_answers (created_at);
