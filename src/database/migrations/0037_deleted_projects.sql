-- Projects that are deleted, and for a while can be brought back: src/storage/delete-project.ts. Everybody reads the view,
-- for whom a deleted one is as absent as one that never was; the table is for deletion, and for names that it still holds.

ALTER TABLE projects RENAME TO all_projects;
ALTER TABLE all_projects
  -- Null: it is not deleted.
  ADD COLUMN deleted_at timestamptz(3),
  ADD COLUMN deleted_by text,
  -- From when on all that it holds is removed; null in a deleted one: it is kept for ever.
  ADD COLUMN purge_at timestamptz(3),
  -- The removal has begun: it cannot be brought back any more.
  ADD COLUMN is_purged boolean NOT NULL DEFAULT false,
  ADD CHECK (deleted_at IS NOT NULL OR (deleted_by IS NULL AND purge_at IS NULL));
CREATE INDEX all_projects_purged ON all_projects (purge_at) WHERE purge_at IS NOT NULL;

CREATE VIEW projects AS
SELECT id, site_id, organization_id, name, source_kind, repository, ref, docs_folder, default_deployment, features,
  created_at, updated_at, widgets, agent, folder_granted, default_branch
FROM all_projects WHERE deleted_at IS NULL;

-- It was a deleted project's: it waits for no render that might use it again.
ALTER TABLE condemned_objects ADD COLUMN is_deleted boolean NOT NULL DEFAULT false;
