-- What reviewers are told of a change, and what becomes of its pull request over several turns.

-- Of the whole change, as the check before its publishing found it; null: it was not looked at.
ALTER TABLE agent_jobs ADD COLUMN risks jsonb;
-- Every changed file has a high risk.
ALTER TABLE agent_jobs ADD COLUMN is_all_risk boolean NOT NULL DEFAULT false;
-- Of the pull request as a whole; `title` is that of the last turn.
ALTER TABLE agent_jobs ADD COLUMN request_title text;
-- As they were last written to the forge: what differs from them there was written by a person, and stays.
ALTER TABLE agent_jobs ADD COLUMN sent_title text;
ALTER TABLE agent_jobs ADD COLUMN sent_body text;
-- Link of the pull request that takes changes now; `pull_request_link` is the first one, which never changes.
ALTER TABLE agent_jobs ADD COLUMN current_link text;
UPDATE agent_jobs SET current_link = pull_request_link;
-- The link stays when a merged or closed request was left for the next one, which is not there yet.
DO $$
DECLARE
  rule text;
BEGIN
  SELECT conname INTO rule FROM pg_constraint
  WHERE conrelid = 'agent_jobs'::regclass AND contype = 'c'
    AND pg_get_constraintdef(oid) LIKE '%pull_request_link IS NULL%pull_request_state IS NULL%';
  IF rule IS NOT NULL THEN
    EXECUTE format('ALTER TABLE agent_jobs DROP CONSTRAINT %I', rule);
  END IF;
END $$;
-- Those before it, oldest first: [{"link", "branch", "state"}].
ALTER TABLE agent_jobs ADD COLUMN past_requests jsonb NOT NULL DEFAULT '[]';
-- Number of the prompt with which the pull request began that takes changes now.
ALTER TABLE agent_jobs ADD COLUMN first_prompt integer NOT NULL DEFAULT 1;
-- Whether the agent was shown its own change once more in this turn.
ALTER TABLE agent_jobs ADD COLUMN is_reviewed boolean NOT NULL DEFAULT false;
-- The turn takes in what came into the target: the commit of the target, and the one that both sides come from. The merge
-- of the two is made anew from these names wherever the job goes on. Null: nothing is taken in.
ALTER TABLE agent_jobs ADD COLUMN merged_commit text;
ALTER TABLE agent_jobs ADD COLUMN merge_base text;
-- Files below the docs folder in which both sides contradicted each other, which the agent is to put right.
ALTER TABLE agent_jobs ADD COLUMN conflicts jsonb NOT NULL DEFAULT '[]';

-- What the agent said at the end of the turn: {"title", "summary", "reasons", "answers"}.
ALTER TABLE agent_job_prompts ADD COLUMN account jsonb;

-- How the change answers the entry, in the agent's words; null: it does not say so.
ALTER TABLE agent_job_feedback ADD COLUMN answer text;
-- When it went back to `pending` because the job ended without an answer.
ALTER TABLE agent_job_feedback ADD COLUMN given_back_at timestamptz(3);

-- Before, all of a job's feedback was taken for answered by its pull request.
UPDATE agent_job_feedback AS link SET answer = 'Answered by the change of the job'
FROM agent_jobs AS job WHERE job.id = link.job_id AND job.pull_request_state IS NOT NULL;
UPDATE agent_job_feedback AS link SET given_back_at = clock_timestamp()
FROM agent_jobs AS job WHERE job.id = link.job_id AND job.pull_request_state IS NULL AND job.status <> 'active';
CREATE INDEX agent_job_feedback_held ON agent_job_feedback (job_id) WHERE given_back_at IS NULL;
