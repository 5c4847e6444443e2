-- Projects go from one organization to another, see src/storage/move-project.ts.

-- What an owner of one organization offers to the owners of another one. Without a foreign key to the other one: whether
-- there is such an organization is not to be learned from an offer.
CREATE TABLE project_transfers (
  id text COLLATE "C" PRIMARY KEY,
  project_id text COLLATE "C" NOT NULL UNIQUE REFERENCES all_projects (id) ON DELETE CASCADE,
  organization_id text COLLATE "C" NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  to_organization_id text COLLATE "C" NOT NULL,
  offered_by text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  expires_at timestamptz(3) NOT NULL
);
CREATE INDEX project_transfers_to ON project_transfers (to_organization_id, created_at DESC);
CREATE INDEX project_transfers_expiring ON project_transfers (expires_at);

-- Rows that name the organization of their project follow it; one that is written beside a transfer and names the
-- organization from before is refused.
ALTER TABLE all_projects ADD CONSTRAINT all_projects_of_organization UNIQUE (id, organization_id);
ALTER TABLE deployments ADD CONSTRAINT deployments_follow_project
  FOREIGN KEY (project_id, organization_id) REFERENCES all_projects (id, organization_id) ON UPDATE CASCADE;
ALTER TABLE previews ADD CONSTRAINT previews_follow_project
  FOREIGN KEY (project_id, organization_id) REFERENCES all_projects (id, organization_id)
  ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE static_exports ADD CONSTRAINT static_exports_follow_project
  FOREIGN KEY (project_id, organization_id) REFERENCES all_projects (id, organization_id) ON UPDATE CASCADE;
ALTER TABLE agent_jobs ADD CONSTRAINT agent_jobs_follow_project
  FOREIGN KEY (project_id, organization_id) REFERENCES all_projects (id, organization_id) ON UPDATE CASCADE;
ALTER TABLE automations ADD CONSTRAINT automations_follow_project
  FOREIGN KEY (project_id, organization_id) REFERENCES all_projects (id, organization_id)
  ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE code_repositories ADD CONSTRAINT code_repositories_follow_project
  FOREIGN KEY (project_id, organization_id) REFERENCES all_projects (id, organization_id)
  ON UPDATE CASCADE ON DELETE CASCADE;

-- Part of the review links of a job; a new one closes those that were given away. Empty: as from the beginning.
ALTER TABLE agent_jobs ADD COLUMN link_salt text NOT NULL DEFAULT '';
