-- Who may read a site; a project without a row here is public.
create table site_access (
  project_id text primary key references projects (id) on delete cascade,
  is_private boolean not null default false,
  -- members of the organization may sign in to read
  admits_members boolean not null default true
);

-- Passwords and signed links by which readers come in.
create table site_passes (
  id text primary key,
  project_id text not null references projects (id) on delete cascade,
  kind text not null check (kind in ('password', 'link')),
  name text not null,
  -- page groups that it opens, sorted
  groups text[] not null default '{}',
  password_hash text,
  -- null: a password that counts until it is deleted
  expires_at timestamptz(3),
  created_by text,
  created_at timestamptz(3) not null default clock_timestamp(),
  check ((kind = 'password') = (password_hash is not null)),
  check (kind = 'password' or expires_at is not null)
);

create index site_passes_project on site_passes (project_id, created_at, id);
