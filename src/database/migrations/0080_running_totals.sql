-- Each hit carries the running total of its bucket, so that a window is counted from its first and its last hit, however
-- many lie between them. Times rise with the totals in each bucket; whatever moves hits keeps that order.
ALTER TABLE rate_hits ADD COLUMN total bigint;
UPDATE rate_hits SET total = counted.total
  FROM (
    SELECT ctid AS row, sum(places) OVER (PARTITION BY bucket ORDER BY at ROWS UNBOUNDED PRECEDING) AS total FROM rate_hits
  ) AS counted
  WHERE rate_hits.ctid = counted.row;
ALTER TABLE rate_hits ALTER COLUMN total SET NOT NULL;
DROP INDEX rate_hits_by_bucket;
CREATE INDEX rate_hits_by_bucket ON rate_hits (bucket, at, total);

CREATE OR REPLACE FUNCTION take_places_from_window(
  p_bucket text, p_limit integer, p_seconds integer, p_wanted integer,
  OUT accepted integer, OUT used integer, OUT free_after_seconds double precision
) LANGUAGE plpgsql VOLATILE
  SET plan_cache_mode = force_generic_plan SET enable_bitmapscan = off SET enable_seqscan = off AS $$
DECLARE
  v_now timestamptz;
  v_start timestamptz;
  v_first timestamptz;
  v_newest timestamptz;
  -- Totals before the first hit in the window, and after the last.
  v_base bigint;
  v_total bigint;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('rate:' || p_bucket, 0));
  LOOP
    v_now := clock_timestamp();
    v_start := v_now - make_interval(secs => p_seconds);
    SELECT at, total INTO v_newest, v_total FROM rate_hits
      WHERE bucket = p_bucket ORDER BY at DESC, total DESC LIMIT 1;
    IF v_newest > v_now THEN
      -- The clock was set back. Not before hits that are not in the future, which would break the order.
      UPDATE rate_hits SET at = greatest(least(v_now, at - clock_set_back()), (
          SELECT max(before.at) FROM rate_hits AS before WHERE before.bucket = p_bucket AND before.at <= v_now))
        WHERE bucket = p_bucket AND at > v_now;
      CONTINUE;
    END IF;
    SELECT at, total - places INTO v_first, v_base FROM rate_hits
      WHERE bucket = p_bucket AND at > v_start ORDER BY at, total LIMIT 1;
    used := coalesce(v_total - v_base, 0);
    -- Hits that have left the window go together when the oldest has been out of it for a tenth of its length.
    IF (SELECT min(at) FROM rate_hits WHERE bucket = p_bucket) <= v_start - make_interval(secs => p_seconds / 10.0) THEN
      -- What another clears away just now is left to it: a statement that takes several windows waits for nobody.
      DELETE FROM rate_hits WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM rate_hits WHERE bucket = p_bucket AND at <= v_start FOR UPDATE SKIP LOCKED));
    END IF;
    accepted := greatest(0, least(p_wanted, p_limit - used));
    IF accepted > 0 THEN
      INSERT INTO rate_hits (bucket, at, places, total)
        VALUES (p_bucket, v_now, accepted, coalesce(v_total, 0) + accepted);
      used := used + accepted;
      v_first := coalesce(v_first, v_now);
    ELSIF used > p_limit THEN
      -- With a limit that was lowered the next place is free when enough of them have left.
      SELECT at INTO v_first FROM rate_hits
        WHERE bucket = p_bucket AND at > v_start AND total > v_total - p_limit ORDER BY at, total LIMIT 1;
    END IF;
    free_after_seconds := extract(epoch FROM v_first - v_start);
    EXIT WHEN accepted > 0 OR free_after_seconds IS NULL OR free_after_seconds > 0.005;
    PERFORM pg_sleep(free_after_seconds);
  END LOOP;
END $$;

-- STABLE, so that its statements see the same hits.
CREATE OR REPLACE FUNCTION peek_window(
  p_bucket text, p_limit integer, p_seconds integer,
  OUT accepted boolean, OUT used integer, OUT free_after_seconds double precision
) LANGUAGE plpgsql STABLE
  SET plan_cache_mode = force_generic_plan SET enable_bitmapscan = off SET enable_seqscan = off AS $$
DECLARE
  v_now timestamptz := clock_timestamp();
  v_start timestamptz := v_now - make_interval(secs => p_seconds);
  v_back interval := clock_set_back();
  v_first timestamptz;
  v_base bigint;
  v_total bigint := (SELECT total FROM rate_hits WHERE bucket = p_bucket ORDER BY at DESC, total DESC LIMIT 1);
BEGIN
  SELECT at, total - places INTO v_first, v_base FROM rate_hits
    WHERE bucket = p_bucket AND at > v_start ORDER BY at, total LIMIT 1;
  IF v_first > v_now THEN
    -- The clock was set back behind all hits: they count as moved with it.
    SELECT at, total - places INTO v_first, v_base FROM rate_hits
      WHERE bucket = p_bucket AND at > v_now AND at > v_start + v_back ORDER BY at, total LIMIT 1;
  END IF;
  used := coalesce(v_total - v_base, 0);
  accepted := used < p_limit;
  IF used > p_limit THEN
    SELECT at INTO v_first FROM rate_hits
      WHERE bucket = p_bucket AND at >= v_first AND total > v_total - p_limit ORDER BY at, total LIMIT 1;
  END IF;
  free_after_seconds := extract(epoch FROM CASE WHEN v_first > v_now THEN least(v_now, v_first - v_back) ELSE v_first END - v_start);
END $$;
