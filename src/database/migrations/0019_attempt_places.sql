-- Where the attempt at work is, where the furthest of those before it ended, and how many have ended there: see
-- src/queue/attempt-place.ts.
ALTER TABLE static_exports
  ADD COLUMN place integer NOT NULL DEFAULT 0,
  ADD COLUMN furthest integer NOT NULL DEFAULT 0,
  ADD COLUMN stalled integer NOT NULL DEFAULT 0;
ALTER TABLE deployments
  ADD COLUMN place integer NOT NULL DEFAULT 0,
  ADD COLUMN furthest integer NOT NULL DEFAULT 0,
  ADD COLUMN stalled integer NOT NULL DEFAULT 0;
