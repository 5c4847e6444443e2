-- Agent jobs that begin by themselves: what begins them, what they are asked for, and each time that it happened.

CREATE TABLE automations (
  id text COLLATE "C" PRIMARY KEY,
  organization_id text COLLATE "C" NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  project_id text COLLATE "C" NOT NULL REFERENCES all_projects (id) ON DELETE CASCADE,
  name text NOT NULL,
  kind text NOT NULL CHECK (kind IN ('schedule', 'push', 'feedback', 'search', 'broken_link', 'webhook')),
  -- what the kind of trigger needs, as the interface shows it
  trigger jsonb NOT NULL,
  prompt text NOT NULL,
  -- patterns of the files that its jobs may change; empty: all that the agent may
  scope jsonb NOT NULL DEFAULT '[]',
  -- caps of its jobs, and of its runs a day
  budget jsonb NOT NULL DEFAULT '{}',
  model text,
  is_dry_run boolean NOT NULL DEFAULT false,
  paused_at timestamptz(3),
  -- of the address that a webhook is sent to; null: it has none
  hook_hash bytea,
  -- when it is looked at again
  look_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  -- number of the newest deployment that it has seen
  seen_deployment bigint NOT NULL DEFAULT 0,
  last_run_at timestamptz(3),
  made_by text COLLATE "C",
  created_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  updated_at timestamptz(3) NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX automations_of_project ON automations (project_id, id);
CREATE INDEX automations_due ON automations (look_at) WHERE paused_at IS NULL;

CREATE TABLE automation_runs (
  id text COLLATE "C" PRIMARY KEY,
  automation_id text COLLATE "C" NOT NULL REFERENCES automations (id) ON DELETE CASCADE,
  -- what began it: the trigger, or somebody by hand
  cause text NOT NULL,
  topic text NOT NULL,
  state text NOT NULL CHECK (state IN ('started', 'added', 'skipped')),
  reason text,
  job_id text COLLATE "C" REFERENCES agent_jobs (id) ON DELETE SET NULL,
  -- what the job was asked; of a dry run, what it would have been
  asked text NOT NULL,
  -- of a webhook, as its sender calls the message
  delivery text,
  created_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  CHECK ((state = 'skipped') = (reason IS NOT NULL))
);
CREATE INDEX automation_runs_newest ON automation_runs (automation_id, created_at DESC, id DESC);
CREATE INDEX automation_runs_of_job ON automation_runs (job_id) WHERE job_id IS NOT NULL;
-- A message that comes again is the same run.
CREATE UNIQUE INDEX automation_runs_deliveries ON automation_runs (automation_id, delivery) WHERE delivery IS NOT NULL;

-- What an automation has acted on: an entry of feedback, a search, a broken link.
CREATE TABLE automation_seen (
  automation_id text COLLATE "C" NOT NULL REFERENCES automations (id) ON DELETE CASCADE,
  item text COLLATE "C" NOT NULL,
  at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (automation_id, item)
);

-- Which automation began the job, and about what; `scope` and `budget` as that had them then.
ALTER TABLE agent_jobs
  ADD COLUMN automation_id text COLLATE "C" REFERENCES automations (id) ON DELETE SET NULL,
  ADD COLUMN topic text,
  ADD COLUMN scope jsonb NOT NULL DEFAULT '[]',
  ADD COLUMN budget jsonb NOT NULL DEFAULT '{}',
  -- paths below the docs folder that its pull request changes
  ADD COLUMN published_files jsonb NOT NULL DEFAULT '[]',
  ADD COLUMN merged_at timestamptz(3);
CREATE INDEX agent_jobs_of_automation ON agent_jobs (automation_id, created_at DESC) WHERE automation_id IS NOT NULL;

-- What comes with a prompt from outside, quoted for the model: [{"what", "text"}].
ALTER TABLE agent_job_prompts ADD COLUMN told jsonb NOT NULL DEFAULT '[]';
