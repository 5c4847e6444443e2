-- How a project is published without anybody asking: by webhooks of its forge, and by looking at its source.
create table project_publishing (
  project_id text primary key references projects (id) on delete cascade,
  -- sealed; null: no webhook is taken
  hook_secret bytea,
  hook_made_at timestamptz(3),
  -- when and by which kind of forge it was called last with the right signature
  hook_called_at timestamptz(3),
  hook_forge text check (hook_forge in ('github', 'gitlab', 'gitea', 'bitbucket')),
  -- the source is looked at for news
  follows boolean not null default false,
  look_at timestamptz(3) not null default clock_timestamp()
);

create index project_publishing_due on project_publishing (look_at) where follows;
