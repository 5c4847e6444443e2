-- Several projects may name a domain; one in the whole installation is served at it. The moves stand above the code that
-- makes them, in src/accounts/domain-claims.ts.

ALTER TABLE project_domains
  ADD COLUMN state text NOT NULL DEFAULT 'served' CHECK (state IN ('pending', 'served')),
  -- How it was proved last; `operator` stands in for a proof. Null: never.
  ADD COLUMN proof text CHECK (proof IN ('dns', 'file', 'operator')),
  -- The first is the project's main address.
  ADD COLUMN position integer NOT NULL DEFAULT 0,
  ADD COLUMN checked_at timestamptz(3),
  -- What the last check did not find, as a sentence. Null: it found the proof.
  ADD COLUMN reason text,
  -- Null: only when somebody asks.
  ADD COLUMN check_at timestamptz(3) DEFAULT clock_timestamp(),
  -- Of one that is served: since when checks find no proof.
  ADD COLUMN unproved_since timestamptz(3),
  ADD COLUMN updated_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  DROP CONSTRAINT project_domains_pkey,
  ADD PRIMARY KEY (project_id, domain);
ALTER TABLE project_domains ALTER COLUMN state DROP DEFAULT;
DROP INDEX project_domains_by_project;
CREATE UNIQUE INDEX project_domains_served ON project_domains (domain) WHERE state = 'served';
CREATE INDEX project_domains_by_name ON project_domains (domain);
CREATE INDEX project_domains_to_check ON project_domains (state, check_at) WHERE check_at IS NOT NULL;

UPDATE project_domains SET position = ordered.position
FROM (
  SELECT project_id, domain, row_number() OVER (PARTITION BY project_id ORDER BY created_at, domain) - 1 AS position
  FROM project_domains
) AS ordered
WHERE ordered.project_id = project_domains.project_id AND ordered.domain = project_domains.domain;

-- What the operator's command line has named needs no proof.
UPDATE project_domains SET proof = 'operator'
WHERE EXISTS (
  SELECT FROM audit_rows
  WHERE subject = project_domains.project_id AND action = 'project.created' AND actor = 'cli'
    AND details->'domains' ? project_domains.domain
);

-- What readers are answered at, and whose pages may speak for the project.
CREATE VIEW served_domains AS
SELECT domain, project_id, position FROM project_domains WHERE state = 'served';
