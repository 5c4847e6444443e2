-- What reviewers said of a job's pull request at its forge; each is answered there.
CREATE TABLE agent_job_comments (
  job_id text NOT NULL REFERENCES agent_jobs (id) ON DELETE CASCADE,
  -- of the pull request, as the forge calls it
  request_id text NOT NULL,
  -- as the forge's adapter calls it
  comment_id text NOT NULL,
  -- of the prompt that it came with; 0: none, its answer says why
  number integer NOT NULL,
  author text NOT NULL,
  -- file below the docs folder, or in the repository beside it
  path text,
  line integer,
  text text NOT NULL,
  -- null: the agent has not said one
  answer text,
  taken_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  -- when the answer stood at the forge, or could not stand there
  answered_at timestamptz(3),
  PRIMARY KEY (job_id, request_id, comment_id)
);
CREATE INDEX agent_job_comments_of_prompt ON agent_job_comments (job_id, number);
