-- Deployments. queued → running → published | failed; each move is one guarded UPDATE in src/hosting/store.ts.
create table deployments (
  id text primary key,
  organization_id text not null references organizations (id),
  project_id text not null references projects (id),
  status text not null default 'queued' check (status in ('queued', 'running', 'published', 'failed')),
  -- fences workers: only the holder of the highest attempt may write
  attempt integer not null default 0,
  page_count integer not null default 0,
  total_pages integer,
  error text,
  warnings jsonb not null default '[]',
  warning_count integer not null default 0,
  revision text,
  -- object key of the site version's manifest
  manifest_key text,
  created_at timestamptz(3) not null default clock_timestamp(),
  updated_at timestamptz(3) not null default clock_timestamp(),
  check ((status = 'published') = (manifest_key is not null)),
  check ((status = 'failed') = (error is not null))
);

create index deployments_newest on deployments (project_id, created_at desc, id desc);

-- The one pointer that publishing moves.
create table published_sites (
  project_id text primary key references projects (id),
  deployment_id text not null references deployments (id),
  manifest_key text not null,
  published_at timestamptz(3) not null default clock_timestamp()
);
