-- The key that signs the commits of a project.
CREATE TABLE commit_keys (
  project_id text COLLATE "C" PRIMARY KEY REFERENCES all_projects (id),
  public_key text NOT NULL,
  -- the private key, sealed for the project
  sealed bytea NOT NULL,
  made_by text COLLATE "C",
  created_at timestamptz(3) NOT NULL DEFAULT clock_timestamp()
);
