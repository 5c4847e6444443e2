-- As before, and as exact, with one walk over the rows of a bucket instead of four. Rows that have left the window count no
-- more; they go when the oldest has been out of it for a tenth of its length. The plans are made once for a connection, and
-- walk the index: other ways do not leave out in the next look what is dead already.
CREATE OR REPLACE FUNCTION take_places_from_window(
  p_bucket text, p_limit integer, p_seconds integer, p_wanted integer,
  OUT accepted integer, OUT used integer, OUT free_after_seconds double precision
) LANGUAGE plpgsql VOLATILE
  SET plan_cache_mode = force_generic_plan SET enable_bitmapscan = off SET enable_seqscan = off AS $$
DECLARE
  v_now timestamptz;
  v_start timestamptz;
  v_first timestamptz;
  v_oldest timestamptz;
  v_newest timestamptz;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('rate:' || p_bucket, 0));
  LOOP
    v_now := clock_timestamp();
    v_start := v_now - make_interval(secs => p_seconds);
    SELECT
        coalesce((SELECT sum(places) FROM rate_hits WHERE bucket = p_bucket AND at > v_start), 0),
        (SELECT min(at) FROM rate_hits WHERE bucket = p_bucket AND at > v_start),
        (SELECT min(at) FROM rate_hits WHERE bucket = p_bucket),
        (SELECT max(at) FROM rate_hits WHERE bucket = p_bucket)
      INTO used, v_first, v_oldest, v_newest;
    IF v_newest > v_now THEN
      UPDATE rate_hits SET at = least(v_now, at - clock_set_back()) WHERE bucket = p_bucket AND at > v_now;
      CONTINUE;
    END IF;
    IF v_oldest <= v_start - make_interval(secs => p_seconds / 10.0) THEN
      -- What another clears away just now is left to it: a statement that takes several windows waits for nobody.
      DELETE FROM rate_hits WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM rate_hits WHERE bucket = p_bucket AND at <= v_start FOR UPDATE SKIP LOCKED));
    END IF;
    accepted := greatest(0, least(p_wanted, p_limit - used));
    IF accepted > 0 THEN
      INSERT INTO rate_hits (bucket, at, places) VALUES (p_bucket, v_now, accepted);
      used := used + accepted;
      v_first := coalesce(v_first, v_now);
    ELSIF used > p_limit THEN
      -- With a limit that was lowered the next place is free when enough of them have left.
      SELECT at INTO v_first FROM (
        SELECT at, sum(places) OVER (ORDER BY at ROWS UNBOUNDED PRECEDING) AS so_far FROM rate_hits
          WHERE bucket = p_bucket AND at > v_start
      ) AS hits WHERE so_far > used - p_limit ORDER BY at LIMIT 1;
    END IF;
    free_after_seconds := extract(epoch FROM v_first - v_start);
    EXIT WHEN accepted > 0 OR free_after_seconds IS NULL OR free_after_seconds > 0.005;
    PERFORM pg_sleep(free_after_seconds);
  END LOOP;
END $$;

-- For a statement that takes places from several windows: unless it waits, one that another transaction holds is left
-- alone, and is_free says so. So nobody waits for a window of others, or in a ring.
CREATE FUNCTION take_places_if_free(
  p_bucket text, p_limit integer, p_seconds integer, p_wanted integer, p_waits boolean,
  OUT is_free boolean, OUT accepted integer, OUT used integer, OUT free_after_seconds double precision
) LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  is_free := p_waits OR pg_try_advisory_xact_lock(hashtextextended('rate:' || p_bucket, 0));
  IF is_free THEN
    SELECT taken.accepted, taken.used, taken.free_after_seconds INTO accepted, used, free_after_seconds
      FROM take_places_from_window(p_bucket, p_limit, p_seconds, p_wanted) AS taken;
  END IF;
END $$;
