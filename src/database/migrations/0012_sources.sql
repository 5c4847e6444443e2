-- A folder of the server is a source when the operator's command line has named it, or when it lies within the operator's
-- roots. Of what is there already, those count that the command line made and nobody has turned to another place since.
ALTER TABLE projects ADD COLUMN folder_granted boolean NOT NULL DEFAULT false;
UPDATE projects SET folder_granted = true
WHERE source_kind = 'folder' AND EXISTS (
  SELECT FROM audit_rows
  WHERE subject = projects.id AND action = 'project.created' AND actor = 'cli'
    AND details->'source'->>'kind' = 'folder' AND details->'source'->>'repository' = projects.repository
);

-- Tokens of organizations for the hosts of their repositories, sealed under the node's secret.
CREATE TABLE git_credentials (
  id text COLLATE "C" PRIMARY KEY,
  organization_id text COLLATE "C" NOT NULL REFERENCES organizations ON DELETE CASCADE,
  -- A host, or what lies below a path of it, in small letters.
  prefix text COLLATE "C" NOT NULL,
  sealed bytea NOT NULL,
  last_four text NOT NULL,
  created_by text COLLATE "C" NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  replaced_at timestamptz(3),
  last_used_at timestamptz(3),
  UNIQUE (organization_id, prefix)
);
