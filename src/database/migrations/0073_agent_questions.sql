-- What the agent asked a person, while it waits for the answer.
ALTER TABLE agent_jobs ADD COLUMN question text;
CREATE INDEX agent_jobs_asking ON agent_jobs (updated_at) WHERE question IS NOT NULL;
