-- What a deployment tells of itself afterwards: who or what started it, the commit, stages with times, log, changed pages.
alter table deployments
  add column trigger text not null default 'request'
    check (trigger in ('request', 'push', 'poll', 'folder', 'merge', 'retry')),
  add column started_by text,
  add column commit_title text,
  add column commit_author text,
  add column committed_at timestamptz(3),
  add column stages jsonb not null default '[]',
  add column log jsonb not null default '[]',
  add column changes jsonb,
  add column ended_at timestamptz(3);

update deployments set ended_at = updated_at where status in ('published', 'failed');

-- One whose files are no longer kept stays as a row: it was published, and cannot be put in front again.
alter table deployments drop constraint deployments_check;
alter table deployments add constraint deployments_manifest check (manifest_key is null or status = 'published');

-- Set: what is published later does not take its place until somebody lets go.
alter table published_sites
  add column pinned_at timestamptz(3),
  add column pinned_by text;
