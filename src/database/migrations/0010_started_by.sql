-- Who began a job: the id of an API key or of a member. Null: before it was written down.
ALTER TABLE agent_jobs ADD COLUMN started_by text COLLATE "C";
ALTER TABLE agent_job_prompts ADD COLUMN asked_by text COLLATE "C";
ALTER TABLE static_exports ADD COLUMN started_by text COLLATE "C";
CREATE INDEX agent_jobs_archived ON agent_jobs (project_id, created_at DESC, id DESC) WHERE status = 'archived';
