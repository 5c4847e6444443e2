-- Keys that reach the public text of one site, and nothing else.
ALTER TABLE api_keys
  ADD COLUMN kind text COLLATE "C" NOT NULL DEFAULT 'admin'
    CHECK (kind = 'admin' OR kind = 'assistant' AND coalesce(cardinality(project_ids), 0) = 1);
