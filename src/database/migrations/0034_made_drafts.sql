-- Whether the pull request that takes changes now was opened as a draft by us, and still is one.
ALTER TABLE agent_jobs ADD COLUMN made_draft boolean NOT NULL DEFAULT false;
