-- What the dashboard asks for beside the public API.

-- Entries that say the same have one number: the words of a comment without case, spaces and ASCII punctuation, or the code
-- block, character for character. Null for a bare vote. It is only compared within one page of one project. 53 bits, which
-- a number of JavaScript holds.
ALTER TABLE feedback ADD COLUMN same_hash bigint GENERATED ALWAYS AS (
  CASE
    WHEN code IS NOT NULL THEN hashtextextended(code, 1)
    WHEN comment IS NOT NULL THEN
      hashtextextended(coalesce(nullif(regexp_replace(lower(comment), '[\s!-/:-@\[-`{-~]+', '', 'g'), ''), comment), 2)
  END & 9007199254740991) STORED;
-- Groups are counted in the order of this index, out of it alone.
CREATE INDEX feedback_same ON feedback (project_id, path, same_hash)
  INCLUDE (status, sort_at) WHERE same_hash IS NOT NULL;

-- With all that the counts of a period need, so that they read no rows.
DROP INDEX feedback_newest;
CREATE INDEX feedback_newest ON feedback (project_id, sort_at DESC, id DESC)
  INCLUDE (path, source, status, helpful);

-- Saved views of the inbox: a name for a query string. Private to their maker, or shared with all members.
CREATE TABLE feedback_views (
  id text COLLATE "C" PRIMARY KEY,
  project_id text COLLATE "C" NOT NULL REFERENCES projects ON DELETE CASCADE,
  -- Id of the member who made it.
  user_id text COLLATE "C" NOT NULL,
  name text NOT NULL,
  query text NOT NULL,
  is_shared boolean NOT NULL DEFAULT false,
  created_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  updated_at timestamptz(3) NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX feedback_views_by_project ON feedback_views (project_id);

-- The problems of a published version, errors first; those of the version before go when the next one is published.
CREATE TABLE site_problems (
  deployment_id text COLLATE "C" NOT NULL REFERENCES deployments ON DELETE CASCADE,
  number integer NOT NULL,
  file text NOT NULL,
  line integer,
  code text NOT NULL,
  level text NOT NULL CHECK (level IN ('error', 'warning', 'hint')),
  message text NOT NULL,
  remedy text NOT NULL,
  PRIMARY KEY (deployment_id, number)
);
-- What was published before this table: the first hundred, without level and remedy apart.
INSERT INTO site_problems (deployment_id, number, file, line, code, level, message, remedy)
SELECT deployment.id, warning.number, warning.value->>'path', (warning.value->>'line')::integer, 'content', 'warning',
  warning.value->>'message', ''
FROM published_sites AS site
JOIN deployments AS deployment ON deployment.id = site.deployment_id,
LATERAL jsonb_array_elements(deployment.warnings) WITH ORDINALITY AS warning(value, number);

CREATE INDEX static_exports_by_project ON static_exports (project_id, created_at DESC, id DESC);
CREATE INDEX agent_jobs_active ON agent_jobs (project_id) WHERE status = 'active';
