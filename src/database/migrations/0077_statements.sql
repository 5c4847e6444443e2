-- Statements of the docs, the lines of code that they rest on, and those that a change of code may have made false.

CREATE TABLE statement_checks (
  project_id text COLLATE "C" NOT NULL,
  organization_id text COLLATE "C" NOT NULL,
  -- a pull request of a code repository; empty and 0 for the published site
  repository_id text COLLATE "C" NOT NULL DEFAULT '',
  pull_request integer NOT NULL DEFAULT 0,
  -- of the pull request's commits
  ref text,
  look_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  -- commits of the last check, with address and ref, by id of the repository
  seen jsonb NOT NULL DEFAULT '{}',
  -- statements that name code, by page
  pages jsonb NOT NULL DEFAULT '[]',
  -- the last report to the forge
  told text COLLATE "C",
  error text,
  checked_at timestamptz(3),
  PRIMARY KEY (project_id, repository_id, pull_request),
  FOREIGN KEY (project_id, organization_id) REFERENCES all_projects (id, organization_id)
    ON UPDATE CASCADE ON DELETE CASCADE
);
CREATE INDEX statement_checks_look_at ON statement_checks (look_at);

CREATE TABLE statements (
  project_id text COLLATE "C" NOT NULL REFERENCES all_projects (id) ON DELETE CASCADE,
  id text COLLATE "C" NOT NULL,
  page text COLLATE "C" NOT NULL,
  line integer NOT NULL,
  text text NOT NULL,
  bindings jsonb NOT NULL,
  -- names of the repositories with the paths of the files
  files text[] NOT NULL,
  -- digest of the lines that it rests on
  definition text COLLATE "C" NOT NULL,
  -- commit of the first check that found these lines
  since text COLLATE "C",
  PRIMARY KEY (project_id, id)
);
CREATE INDEX statements_order ON statements (project_id, page, line, id);

CREATE TABLE statement_alarms (
  project_id text COLLATE "C" NOT NULL REFERENCES all_projects (id) ON DELETE CASCADE,
  repository_id text COLLATE "C" NOT NULL,
  -- 0: the branch that is followed
  pull_request integer NOT NULL DEFAULT 0,
  statement text COLLATE "C" NOT NULL,
  -- digest of what the lines became
  change text COLLATE "C" NOT NULL,
  page text COLLATE "C" NOT NULL,
  line integer NOT NULL,
  text text NOT NULL,
  -- reason, name, old and new line
  found jsonb NOT NULL,
  commit text COLLATE "C" NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (project_id, statement, repository_id, pull_request)
);

CREATE TABLE statement_confirmations (
  project_id text COLLATE "C" NOT NULL REFERENCES all_projects (id) ON DELETE CASCADE,
  statement text COLLATE "C" NOT NULL,
  -- null: whatever changes
  changes text[] COLLATE "C",
  confirmed_by text COLLATE "C" NOT NULL,
  confirmed_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (project_id, statement)
);

CREATE VIEW open_statement_alarms AS
  SELECT alarm.* FROM statement_alarms AS alarm
  WHERE NOT EXISTS (
    SELECT FROM statement_confirmations AS held
    WHERE held.project_id = alarm.project_id AND held.statement = alarm.statement
      AND (held.changes IS NULL OR alarm.change = ANY (held.changes))
  );

CREATE VIEW statement_states AS
  SELECT statements.*,
    CASE
      WHEN EXISTS (SELECT FROM open_statement_alarms AS alarm
        WHERE alarm.project_id = statements.project_id AND alarm.statement = statements.id) THEN 'in_doubt'
      WHEN held.statement IS NOT NULL AND (held.changes IS NULL OR definition = ANY (held.changes)) THEN 'confirmed'
      ELSE 'bound'
    END AS state,
    held.confirmed_by, held.confirmed_at, held.changes
  FROM statements
  LEFT JOIN statement_confirmations AS held
    ON held.project_id = statements.project_id AND held.statement = statements.id;

ALTER TABLE project_publishing ADD COLUMN statement_status boolean NOT NULL DEFAULT false;

INSERT INTO statement_checks (project_id, organization_id)
  SELECT DISTINCT project_id, organization_id FROM code_repositories;
