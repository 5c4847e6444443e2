-- Static export jobs. queued → running → completed | failed; each move is one guarded UPDATE in src/export/store.ts.
create table static_exports (
  id text primary key,
  organization_id text not null references organizations (id),
  project_id text not null references projects (id),
  domain text not null,
  deployment text not null check (deployment in ('client-hosted', 'air-gapped')),
  features jsonb not null,
  -- page paths to include; null for all
  paths jsonb,
  -- the caller's label
  version text,
  status text not null default 'queued' check (status in ('queued', 'running', 'completed', 'failed')),
  -- fences workers: only the holder of the highest attempt may write
  attempt integer not null default 0,
  progress double precision not null default 0 check (progress between 0 and 100),
  page_count integer not null default 0,
  total_pages integer,
  error text,
  -- the first 100; warning_count counts all
  warnings jsonb not null default '[]',
  warning_count integer not null default 0,
  -- the commit, fixed by the first attempt so that a later one renders the same
  revision text,
  bundle_sha256 text,
  bundle_size_bytes bigint,
  created_at timestamptz(3) not null default clock_timestamp(),
  updated_at timestamptz(3) not null default clock_timestamp(),
  check ((status = 'completed') = (bundle_sha256 is not null)),
  check ((status = 'completed') = (progress = 100)),
  check ((status = 'failed') = (error is not null))
);

create index static_exports_newest on static_exports (organization_id, created_at desc, id desc);
