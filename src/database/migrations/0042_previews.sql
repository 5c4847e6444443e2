-- Previews: branches and pull requests of a project as readers would see them, each at a host name of its own. What one
-- shows is a deployment, like what the project shows.
CREATE TABLE previews (
  id text COLLATE "C" PRIMARY KEY,
  number bigint GENERATED ALWAYS AS IDENTITY,
  organization_id text COLLATE "C" NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  project_id text COLLATE "C" NOT NULL REFERENCES all_projects (id) ON DELETE CASCADE,
  -- full name of what is read, as refs/heads/next and refs/pull/7/head
  ref text NOT NULL,
  -- as people know it
  branch text NOT NULL,
  pull_request bigint,
  -- the commits are of a repository that others write to
  is_fork boolean NOT NULL DEFAULT false,
  -- first part of its host name, which nobody guesses
  label text COLLATE "C" NOT NULL UNIQUE,
  -- the version in front; null: none was made yet, or it is removed
  deployment_id text COLLATE "C",
  manifest_key text,
  created_by text,
  created_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  updated_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  pushed_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  expires_at timestamptz(3) NOT NULL,
  -- from then on nobody is served; the row stays until the forge was told
  removed_at timestamptz(3),
  removed_because text CHECK (removed_because IN ('asked', 'gone', 'merged', 'closed', 'expired', 'crowded', 'off')),
  -- what the forge was told last: the deployment and its state
  told text,
  tell_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  tell_failures integer NOT NULL DEFAULT 0,
  tell_error text,
  CHECK ((removed_at IS NULL) = (removed_because IS NULL)),
  CHECK (removed_at IS NULL OR manifest_key IS NULL)
);
CREATE UNIQUE INDEX previews_of_ref ON previews (project_id, ref) WHERE removed_at IS NULL;
CREATE INDEX previews_of_project ON previews (project_id, pushed_at DESC) WHERE removed_at IS NULL;
CREATE INDEX previews_expiring ON previews (expires_at) WHERE removed_at IS NULL;
CREATE INDEX previews_removed ON previews (removed_at) WHERE removed_at IS NOT NULL;
CREATE INDEX previews_to_tell ON previews (tell_at);

-- Null: it is of the project itself.
ALTER TABLE deployments ADD COLUMN preview_id text COLLATE "C" REFERENCES previews (id) ON DELETE CASCADE;
CREATE INDEX deployments_of_preview ON deployments (preview_id, number DESC) WHERE preview_id IS NOT NULL;
CREATE INDEX deployments_of_site ON deployments (project_id, created_at DESC, id DESC) WHERE preview_id IS NULL;

ALTER TABLE project_publishing
  ADD COLUMN previews text NOT NULL DEFAULT 'off' CHECK (previews IN ('off', 'pull_requests', 'branches')),
  -- of branches: names, in which * stands for any characters
  ADD COLUMN preview_branches jsonb NOT NULL DEFAULT '["*"]',
  ADD COLUMN preview_access text NOT NULL DEFAULT 'public'
    CHECK (preview_access IN ('public', 'members', 'password')),
  ADD COLUMN preview_days integer NOT NULL DEFAULT 14,
  ADD COLUMN preview_forks boolean NOT NULL DEFAULT false;
