-- People who run the server: they may change what holds for all organizations on it.
CREATE TABLE operators (
  user_id text COLLATE "C" PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
  -- id of a user, or `cli`
  made_by text COLLATE "C" NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT clock_timestamp()
);

-- Settings of the server that the environment leaves open, by their names in the configuration.
CREATE TABLE instance_settings (
  name text COLLATE "C" PRIMARY KEY,
  value text,
  -- a secret instead of a value, under the secret of the node
  sealed bytea,
  last_four text,
  set_by text COLLATE "C" NOT NULL,
  set_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  CHECK ((value IS NULL) <> (sealed IS NULL))
);
