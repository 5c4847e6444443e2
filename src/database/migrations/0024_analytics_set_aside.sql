-- Batches of web analytics that could not be counted, with the reason, so that those behind them are. Whoever has removed
-- the reason may put them back into the inbox. Without hashes of visitors.
CREATE TABLE analytics_set_aside (
  id bigint PRIMARY KEY,
  project_id text COLLATE "C" NOT NULL,
  events json NOT NULL,
  reason text NOT NULL,
  at timestamptz(3) NOT NULL DEFAULT clock_timestamp()
);
