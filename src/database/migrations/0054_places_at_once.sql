-- As take_from_window, for several callers of one bucket at once: one wait in the line and one commit for all of them.
-- The places that are there are taken, and `accepted` says how many; `used` counts them.
CREATE FUNCTION take_places_from_window(
  p_bucket text, p_limit integer, p_seconds integer, p_wanted integer,
  OUT accepted integer, OUT used integer, OUT free_after_seconds double precision
) LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  v_now timestamptz;
  v_start timestamptz;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('rate:' || p_bucket, 0));
  LOOP
    v_now := clock_timestamp();
    v_start := v_now - make_interval(secs => p_seconds);
    UPDATE rate_hits SET at = least(v_now, at - clock_set_back()) WHERE bucket = p_bucket AND at > v_now;
    DELETE FROM rate_hits WHERE bucket = p_bucket AND at <= v_start;
    SELECT count(*) INTO used FROM rate_hits WHERE bucket = p_bucket;
    accepted := greatest(0, least(p_wanted, p_limit - used));
    INSERT INTO rate_hits (bucket, at) SELECT p_bucket, v_now FROM generate_series(1, accepted);
    used := used + accepted;
    -- The next place is free when the oldest hit leaves; with a limit that was lowered, when enough of them have left.
    SELECT extract(epoch FROM at - v_start) INTO free_after_seconds
      FROM rate_hits WHERE bucket = p_bucket ORDER BY at OFFSET greatest(used - p_limit, 0) LIMIT 1;
    EXIT WHEN accepted > 0 OR free_after_seconds IS NULL OR free_after_seconds > 0.005;
    PERFORM pg_sleep(free_after_seconds);
  END LOOP;
END $$;

CREATE OR REPLACE FUNCTION take_from_window(
  p_bucket text, p_limit integer, p_seconds integer,
  OUT accepted boolean, OUT used integer, OUT free_after_seconds double precision
) LANGUAGE sql VOLATILE AS $$
  SELECT taken.accepted = 1, taken.used, taken.free_after_seconds
    FROM take_places_from_window(p_bucket, p_limit, p_seconds, 1) AS taken
$$;
