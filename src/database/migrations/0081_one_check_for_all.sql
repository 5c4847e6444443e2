-- The last look for spikes of feedback, which one of all workers makes each minute (src/features/notifications).
ALTER TABLE clock ADD COLUMN spikes_checked_at timestamptz NOT NULL DEFAULT '-infinity';

-- The entries of the last hour, for that look: entries arrive in the order of their times, so a few ranges of the table
-- hold them. A hundred thousand projects are one read instead of as many.
CREATE INDEX feedback_recent ON feedback USING brin (sort_at) WITH (pages_per_range = 32, autosummarize = on);
