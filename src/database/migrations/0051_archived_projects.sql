-- Projects that are put away: kept whole, and nothing begins or is gathered in them, see src/storage/archive-project.ts.

ALTER TABLE all_projects
  -- Null: it is not archived.
  ADD COLUMN archived_at timestamptz(3),
  ADD COLUMN archived_by text,
  -- While it is archived: whether readers get the site, and whether they may say something of it.
  ADD COLUMN archive_serves boolean NOT NULL DEFAULT true,
  ADD COLUMN archive_takes_feedback boolean NOT NULL DEFAULT false;

CREATE OR REPLACE VIEW projects AS
SELECT id, site_id, organization_id, name, source_kind, repository, ref, docs_folder, default_deployment, features,
  created_at, updated_at, widgets, agent, folder_granted, default_branch, archived_at, archived_by, archive_serves,
  archive_takes_feedback
FROM all_projects WHERE deleted_at IS NULL;
