-- Names of the objects that rows need, collected by a sweep (src/features/storage/needed-objects.ts). Both tables are
-- written anew by each sweep, so they need no log: after a crash of the database they are empty.

CREATE UNLOGGED TABLE needed_objects (
  -- Empty in the one row whose organization_id is the id of the collection that wrote the table.
  key text COLLATE "C" PRIMARY KEY,
  -- Empty if several organizations need it.
  organization_id text COLLATE "C" NOT NULL,
  holder text COLLATE "C" NOT NULL
);

-- Manifests whose files are needed, for whom, and whether needed_objects has their files already.
CREATE UNLOGGED TABLE needed_versions (
  key text COLLATE "C" NOT NULL,
  organization_id text COLLATE "C" NOT NULL,
  holder text COLLATE "C" NOT NULL,
  is_read boolean NOT NULL DEFAULT false,
  is_missing boolean NOT NULL DEFAULT false,
  PRIMARY KEY (key, organization_id, holder)
);
CREATE INDEX needed_versions_unread ON needed_versions (key) WHERE NOT is_read;
