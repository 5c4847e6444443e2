-- Of what is counted at pages, all pages together in a row of their own, with an empty page.
INSERT INTO analytics_counts (project_id, dimension, period, starts_at, key, page, human, ai, bots, human_visitors,
    ai_visitors, empty, last_at)
  SELECT project_id, dimension, period, starts_at, key, '', sum(human), sum(ai), sum(bots), sum(human_visitors),
    sum(ai_visitors), sum(empty), max(last_at)
  FROM analytics_counts WHERE dimension IN ('referrer', 'agent', 'search', 'click', 'outbound')
  GROUP BY project_id, dimension, period, starts_at, key;
