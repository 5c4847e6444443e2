-- What a turn of an agent job leaves to the next one, and the time that it has worked.
ALTER TABLE agent_jobs
  -- the commit that the changes of a stopped turn lie on, until the next one has its own base
  ADD COLUMN kept_commit text,
  -- why the turn before ended early
  ADD COLUMN stopped text,
  -- milliseconds of work of this turn, as of its last step; neither a server's downtime nor waiting counts
  ADD COLUMN turn_ms bigint NOT NULL DEFAULT 0,
  -- what is missing from a change that a limit cut short
  ADD COLUMN unfinished text;
