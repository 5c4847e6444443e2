-- Whether files that Git LFS keeps beside the repository are fetched.
ALTER TABLE all_projects ADD COLUMN fetches_lfs boolean NOT NULL DEFAULT false;
CREATE OR REPLACE VIEW projects AS
SELECT id, site_id, organization_id, name, source_kind, repository, ref, docs_folder, default_deployment, features,
  created_at, updated_at, widgets, agent, folder_granted, default_branch, archived_at, archived_by, archive_serves,
  archive_takes_feedback, fetches_lfs
FROM all_projects WHERE deleted_at IS NULL;
