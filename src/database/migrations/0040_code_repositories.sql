-- Repositories of code that the agent of a project may read, and never writes.

CREATE TABLE code_repositories (
  id text COLLATE "C" PRIMARY KEY,
  organization_id text COLLATE "C" NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  project_id text COLLATE "C" NOT NULL REFERENCES all_projects (id) ON DELETE CASCADE,
  -- as the agent and its pull requests call it
  name text COLLATE "C" NOT NULL,
  source_kind text NOT NULL CHECK (source_kind IN ('folder', 'git')),
  -- an absolute folder, or an address without credentials
  repository text NOT NULL,
  -- whether the operator's command line has named the folder
  folder_granted boolean NOT NULL DEFAULT false,
  -- null: the default branch
  ref text,
  -- below the root of the repository; nothing outside of it is read
  folder text NOT NULL DEFAULT '',
  made_by text COLLATE "C",
  created_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  updated_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  UNIQUE (project_id, name)
);
