-- What is kept, for how long, and what goes: src/storage.

-- Days by kind of what an organization has chosen itself; 0 is for ever. The kinds stand in src/contract/retention.ts.
ALTER TABLE organizations ADD COLUMN retention jsonb NOT NULL DEFAULT '{}';

-- The end of the last link to the archive.
ALTER TABLE static_exports ADD COLUMN bundle_needed_until timestamptz(3);

-- Objects that no row needs, since when. Each goes when it has been here for long enough; whoever uses one takes it out.
CREATE TABLE condemned_objects (
  key text COLLATE "C" PRIMARY KEY,
  -- The first part of the key.
  kind text COLLATE "C" NOT NULL,
  size_bytes bigint NOT NULL,
  since timestamptz(3) NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX condemned_objects_by_age ON condemned_objects (kind, since);

-- What the last sweep found to hold how much.
CREATE TABLE storage_use (
  -- Empty: no organization alone.
  organization_id text COLLATE "C" NOT NULL,
  holder text COLLATE "C" NOT NULL,
  objects bigint NOT NULL,
  bytes bigint NOT NULL,
  PRIMARY KEY (organization_id, holder)
);

-- The last sweep. One row.
CREATE TABLE storage_sweeps (
  is_one boolean PRIMARY KEY DEFAULT true CHECK (is_one),
  started_at timestamptz(3) NOT NULL,
  -- Null: it is at work, or was ended before its end.
  ended_at timestamptz(3),
  deleted_objects bigint NOT NULL DEFAULT 0,
  deleted_bytes bigint NOT NULL DEFAULT 0
);
