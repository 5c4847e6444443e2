-- Counts of the four parts of a month, from its 1st, 9th, 17th and 25th day on: a range is read as months, weeks and at
-- most some days at its ends, however long it is. Hours are of the site alone from now on; those of pages go with their
-- retention.
ALTER TABLE analytics_counts DROP CONSTRAINT analytics_counts_period_check;
ALTER TABLE analytics_counts ADD CONSTRAINT analytics_counts_period_check
  CHECK (period IN ('hour', 'day', 'week', 'month'));

INSERT INTO analytics_counts (project_id, dimension, period, starts_at, key, page,
    human, ai, bots, human_visitors, ai_visitors, empty, last_at)
  SELECT project_id, dimension, 'week',
    (month + ((extract(day FROM day)::integer - 1) & ~7) * interval '1 day') AT TIME ZONE 'UTC' AS week, key, page,
    sum(human), sum(ai), sum(bots), sum(human_visitors), sum(ai_visitors), sum(empty), max(last_at)
  FROM (SELECT *, starts_at AT TIME ZONE 'UTC' AS day, date_trunc('month', starts_at AT TIME ZONE 'UTC') AS month
    FROM analytics_counts WHERE period = 'day') AS days
  GROUP BY project_id, dimension, week, key, page;
