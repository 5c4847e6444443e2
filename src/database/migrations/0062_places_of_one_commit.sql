-- Callers who take their places together leave one row, which says how many: a window of thousands of places is counted
-- in a few rows, and fewer go when they leave it.
ALTER TABLE rate_hits ADD COLUMN places integer NOT NULL DEFAULT 1 CHECK (places > 0);

-- As before, and as exact: the places of a row were taken at one moment, and leave the window at one.
CREATE OR REPLACE FUNCTION take_places_from_window(
  p_bucket text, p_limit integer, p_seconds integer, p_wanted integer,
  OUT accepted integer, OUT used integer, OUT free_after_seconds double precision
) LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  v_now timestamptz;
  v_start timestamptz;
  v_first timestamptz;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('rate:' || p_bucket, 0));
  LOOP
    v_now := clock_timestamp();
    v_start := v_now - make_interval(secs => p_seconds);
    UPDATE rate_hits SET at = least(v_now, at - clock_set_back()) WHERE bucket = p_bucket AND at > v_now;
    DELETE FROM rate_hits WHERE bucket = p_bucket AND at <= v_start;
    SELECT coalesce(sum(places), 0), min(at) INTO used, v_first FROM rate_hits WHERE bucket = p_bucket;
    accepted := greatest(0, least(p_wanted, p_limit - used));
    IF accepted > 0 THEN
      INSERT INTO rate_hits (bucket, at, places) VALUES (p_bucket, v_now, accepted);
      used := used + accepted;
      v_first := coalesce(v_first, v_now);
    ELSIF used > p_limit THEN
      -- With a limit that was lowered the next place is free when enough of them have left.
      SELECT at INTO v_first FROM (
        SELECT at, sum(places) OVER (ORDER BY at ROWS UNBOUNDED PRECEDING) AS so_far FROM rate_hits
          WHERE bucket = p_bucket
      ) AS hits WHERE so_far > used - p_limit ORDER BY at LIMIT 1;
    END IF;
    free_after_seconds := extract(epoch FROM v_first - v_start);
    EXIT WHEN accepted > 0 OR free_after_seconds IS NULL OR free_after_seconds > 0.005;
    PERFORM pg_sleep(free_after_seconds);
  END LOOP;
END $$;

CREATE OR REPLACE FUNCTION peek_window(
  p_bucket text, p_limit integer, p_seconds integer,
  OUT accepted boolean, OUT used integer, OUT free_after_seconds double precision
) LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  v_now timestamptz := clock_timestamp();
  v_start timestamptz := v_now - make_interval(secs => p_seconds);
  v_back interval := clock_set_back();
BEGIN
  WITH hits AS (
    SELECT moved.at, sum(moved.places) OVER (ORDER BY moved.at ROWS UNBOUNDED PRECEDING) AS so_far FROM (
      SELECT places, CASE WHEN at > v_now THEN least(v_now, at - v_back) ELSE at END AS at FROM rate_hits
        WHERE bucket = p_bucket
    ) AS moved WHERE moved.at > v_start
  ), total AS (SELECT coalesce(max(so_far), 0) AS places FROM hits)
  SELECT total.places, extract(epoch FROM min(hits.at) - v_start) INTO used, free_after_seconds
    FROM total LEFT JOIN hits ON hits.so_far > greatest(total.places - p_limit, 0) GROUP BY total.places;
  accepted := used < p_limit;
END $$;
