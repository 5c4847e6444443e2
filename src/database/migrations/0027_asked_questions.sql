-- What whoever reads the questions is shown of them beside the answer; and the agent jobs that take them up.

ALTER TABLE assistant_questions
  -- Of the page that it was asked on.
  ADD COLUMN language text COLLATE "C",
  -- As the model says, of questions without an answer.
  ADD COLUMN category text COLLATE "C" CHECK (category IN ('off_topic')),
  -- Where the docs come closest, when they do not answer it.
  ADD COLUMN nearest jsonb NOT NULL DEFAULT '[]';
CREATE INDEX assistant_questions_thread ON assistant_questions (project_id, thread_id, at, id);

-- Questions that came with a prompt, as they were.
ALTER TABLE agent_job_prompts ADD COLUMN questions jsonb NOT NULL DEFAULT '[]';

-- Questions that a job answers. They may be gone before it: each has a retention of its own.
CREATE TABLE agent_job_questions (
  job_id text COLLATE "C" NOT NULL REFERENCES agent_jobs ON DELETE CASCADE,
  question_id text COLLATE "C" NOT NULL,
  PRIMARY KEY (job_id, question_id)
);
CREATE INDEX agent_job_questions_by_question ON agent_job_questions (question_id);
