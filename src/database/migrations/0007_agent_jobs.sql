-- Agent jobs. active → completed | failed, any → archived, a message takes completed | failed → active; each move is one
-- guarded UPDATE in src/agent/store.ts.
create table agent_jobs (
  id text primary key,
  organization_id text not null references organizations (id),
  project_id text not null references projects (id),
  status text not null default 'active' check (status in ('active', 'completed', 'archived', 'failed')),
  -- where an active job stands: the model works, or its change is being published
  phase text not null default 'work' check (phase in ('work', 'publish')),
  -- the queue's job that works for this row, and its attempt: only the holder of both may write
  queue_job_id text,
  queue_attempt integer not null default 0,
  -- claims since something was last saved
  idle_attempts integer not null default 0,
  repository text not null,
  ref text not null,
  model text not null,
  title text,
  summary text,
  -- why each file changed, by path
  reasons jsonb not null default '{}',
  plan jsonb not null default '[]',
  branch text,
  error text,
  -- the commit that the whole job began at
  origin_commit text,
  -- the commit that the changes of this turn lie on
  base_commit text,
  -- the branch's tip as it was last pushed
  pushed_commit text,
  -- date of the commit to be made, so that every attempt makes the same one
  finished_at timestamptz(3),
  files_changed integer not null default 0,
  input_tokens bigint not null default 0,
  output_tokens bigint not null default 0,
  -- millionths of a US dollar; null when a price was missing
  cost_micros bigint default 0,
  -- of this turn
  steps integer not null default 0,
  turn_tokens bigint not null default 0,
  check_rounds integer not null default 0,
  turn_started_at timestamptz(3),
  pull_request_id text,
  pull_request_link text,
  pull_request_state text check (pull_request_state in ('open', 'merged', 'closed')),
  look_at timestamptz(3),
  -- site versions of the changed pages, for whoever reviews them
  before_manifest text,
  after_manifest text,
  event_count integer not null default 0,
  created_at timestamptz(3) not null default clock_timestamp(),
  updated_at timestamptz(3) not null default clock_timestamp(),
  archived_at timestamptz(3),
  check ((status = 'archived') = (archived_at is not null)),
  check (status <> 'failed' or error is not null),
  check ((pull_request_link is null) = (pull_request_state is null))
);

create index agent_jobs_newest on agent_jobs (project_id, created_at desc, id desc);
-- pull requests whose end is waited for
create index agent_jobs_open_requests on agent_jobs (look_at) where pull_request_state = 'open';

-- What people asked for: the first prompt and the messages after it, each one turn of the job.
create table agent_job_prompts (
  job_id text not null references agent_jobs (id) on delete cascade,
  number integer not null,
  prompt text not null,
  -- entries of feedback that came with it, as they were
  feedback jsonb not null default '[]',
  created_at timestamptz(3) not null default clock_timestamp(),
  started_at timestamptz(3),
  ended_at timestamptz(3),
  primary key (job_id, number)
);

-- The conversation with the model.
create table agent_job_messages (
  job_id text not null references agent_jobs (id) on delete cascade,
  number integer not null,
  message jsonb not null,
  primary key (job_id, number)
);

-- The working copy: what differs from base_commit; null for a deleted file.
create table agent_job_changes (
  job_id text not null references agent_jobs (id) on delete cascade,
  path text not null,
  content text,
  primary key (job_id, path)
);

-- What people see of it, live.
create table agent_job_events (
  job_id text not null references agent_jobs (id) on delete cascade,
  number integer not null,
  type text not null,
  data jsonb not null,
  at timestamptz(3) not null default clock_timestamp(),
  primary key (job_id, number)
);

-- Feedback that a job answers.
create table agent_job_feedback (
  job_id text not null references agent_jobs (id) on delete cascade,
  feedback_id text not null,
  primary key (job_id, feedback_id)
);

create index agent_job_feedback_by_entry on agent_job_feedback (feedback_id);

-- The project's own model and caps, within those of the operator.
alter table projects add column agent jsonb not null default '{}';
