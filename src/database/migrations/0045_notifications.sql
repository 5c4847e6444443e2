-- What people are told of: what happened, written with it; what each person is told; and what they want to be told.

CREATE TABLE notification_events (
  id text COLLATE "C" PRIMARY KEY,
  organization_id text COLLATE "C" NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  project_id text COLLATE "C" NOT NULL REFERENCES all_projects (id) ON DELETE CASCADE,
  kind text NOT NULL,
  -- id of the thing
  subject text COLLATE "C" NOT NULL,
  -- the person whose it is; null: nobody's, which is everybody's
  owner_id text COLLATE "C",
  facts jsonb NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  -- people have been told
  is_spread boolean NOT NULL DEFAULT false
);
CREATE INDEX notification_events_waiting ON notification_events (id) WHERE NOT is_spread;
CREATE INDEX notification_events_newest ON notification_events (organization_id, id DESC) WHERE is_spread;
CREATE INDEX notification_events_of_kind ON notification_events (project_id, kind, created_at);
CREATE INDEX notification_events_by_age ON notification_events (created_at);

-- One line of a person; several events of one kind and project may be in it while it is new and unread.
CREATE TABLE notifications (
  id text COLLATE "C" PRIMARY KEY,
  organization_id text COLLATE "C" NOT NULL,
  user_id text COLLATE "C" NOT NULL,
  project_id text COLLATE "C" NOT NULL REFERENCES all_projects (id) ON DELETE CASCADE,
  kind text NOT NULL,
  -- of the newest event
  subject text COLLATE "C" NOT NULL,
  facts jsonb NOT NULL,
  count integer NOT NULL,
  read_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  -- when the newest event was told; never before what was told earlier, so that "read up to here" leaves nothing out
  updated_at timestamptz(3) NOT NULL,
  -- With the membership all goes that was told for it.
  FOREIGN KEY (organization_id, user_id) REFERENCES members (organization_id, user_id) ON DELETE CASCADE
);
CREATE INDEX notifications_newest ON notifications (user_id, organization_id, updated_at DESC, id DESC);
CREATE INDEX notifications_unread ON notifications (user_id, organization_id, project_id, kind) WHERE read_at IS NULL;
CREATE INDEX notifications_by_project ON notifications (project_id);
CREATE INDEX notifications_by_age ON notifications (updated_at);

-- What differs from the usual; without a row: as it is for all projects, or as it usually is.
CREATE TABLE notification_choices (
  organization_id text COLLATE "C" NOT NULL,
  user_id text COLLATE "C" NOT NULL,
  -- null: of all projects
  project_id text COLLATE "C" REFERENCES all_projects (id) ON DELETE CASCADE,
  kind text NOT NULL,
  level text NOT NULL CHECK (level IN ('off', 'own', 'all')),
  UNIQUE NULLS NOT DISTINCT (organization_id, user_id, project_id, kind),
  FOREIGN KEY (organization_id, user_id) REFERENCES members (organization_id, user_id) ON DELETE CASCADE
);
CREATE INDEX notification_choices_by_project ON notification_choices (project_id);

-- How much feedback a project usually gets, as the watch for spikes has seen it last.
CREATE TABLE feedback_rates (
  project_id text COLLATE "C" PRIMARY KEY REFERENCES all_projects (id) ON DELETE CASCADE,
  -- entries in a busy hour; null: there is too little to tell
  usual integer,
  measured_at timestamptz(3) NOT NULL,
  told_at timestamptz(3)
);
