-- Web analytics. What readers' pages send is one row of the inbox, which is all that an answer waits for; one worker at a
-- time takes rows out of it, in one transaction, into counts and into events.

-- Under which a day's visitors are told apart. Deleted after two days, and with it the way back to anybody.
CREATE TABLE analytics_salts (
  day date PRIMARY KEY,
  salt bytea NOT NULL
);

-- Batches that were taken in: 16 bytes of SHA-256 over the project and the id that the sender made. A batch that is sent
-- again counts once.
CREATE TABLE analytics_batches (
  hash bytea PRIMARY KEY,
  at timestamptz(3) NOT NULL DEFAULT clock_timestamp()
);

-- Batches that are not counted yet.
CREATE TABLE analytics_inbox (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  project_id text COLLATE "C" NOT NULL,
  events json NOT NULL
);

-- What happened, one row each, without anything that tells readers apart. A partition for each day, made by the first
-- event of the day and dropped when its time is over.
CREATE TABLE analytics_events (
  project_id text COLLATE "C" NOT NULL,
  at timestamptz(0) NOT NULL,
  kind text COLLATE "C" NOT NULL,
  audience text COLLATE "C" NOT NULL CHECK (audience IN ('human', 'ai', 'bot')),
  path text COLLATE "C" NOT NULL,
  -- Where the reader came from (a host), what was searched for, or the host that a link leads to.
  subject text COLLATE "C",
  -- The page that a result of a search led to, or the name of the agent.
  detail text COLLATE "C",
  -- Of a search.
  results integer,
  device text COLLATE "C"
) PARTITION BY RANGE (at);
CREATE INDEX analytics_events_newest ON analytics_events (project_id, at DESC);

-- Who was at which page on a day, for as long as the day can still get events. `path` is empty for the site as a whole.
-- A partition for each day.
CREATE TABLE analytics_visitors (
  day date NOT NULL,
  project_id text COLLATE "C" NOT NULL,
  path text COLLATE "C" NOT NULL,
  -- 8 bytes under the salt of the day.
  visitor bytea NOT NULL,
  PRIMARY KEY (day, project_id, path, visitor)
) PARTITION BY RANGE (day);

-- Counts. Hours are kept of the site and its pages; days and months of everything. Counters are in no index, so that
-- counting on changes no index.
CREATE TABLE analytics_counts (
  project_id text COLLATE "C" NOT NULL,
  dimension text COLLATE "C" NOT NULL,
  period text COLLATE "C" NOT NULL CHECK (period IN ('hour', 'day', 'month')),
  starts_at timestamptz(0) NOT NULL,
  -- What is counted: a path, a host, words that were searched for; and where: a path, or empty.
  key text COLLATE "C" NOT NULL,
  page text COLLATE "C" NOT NULL,
  human bigint NOT NULL DEFAULT 0,
  ai bigint NOT NULL DEFAULT 0,
  bots bigint NOT NULL DEFAULT 0,
  human_visitors bigint NOT NULL DEFAULT 0,
  ai_visitors bigint NOT NULL DEFAULT 0,
  -- Of searches: how many found nothing, and the last one.
  empty bigint NOT NULL DEFAULT 0,
  last_at timestamptz(0),
  PRIMARY KEY (project_id, dimension, period, starts_at, key, page)
) WITH (fillfactor = 80);
