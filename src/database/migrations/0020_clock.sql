-- When the database's clock was last looked at (src/app/follow-clock.ts). A clock that is behind it was set back.
CREATE TABLE clock (
  is_one boolean PRIMARY KEY DEFAULT true CHECK (is_one),
  seen timestamptz NOT NULL DEFAULT clock_timestamp()
);
INSERT INTO clock DEFAULT VALUES;

-- Seconds that the clock was set back since it was looked at; 0 as a rule.
CREATE FUNCTION clock_set_back() RETURNS interval LANGUAGE sql VOLATILE AS $$
  SELECT greatest(seen - clock_timestamp(), interval '0') FROM clock
$$;

-- As before; but hits from before a clock was set back lie in the future then, and would hold their places for as long
-- as it was set back. They are moved with the clock, so that the window stays what it was: never more than the limit,
-- and no wait that is longer than the window.
CREATE OR REPLACE FUNCTION take_from_window(
  p_bucket text, p_limit integer, p_seconds integer,
  OUT accepted boolean, OUT used integer, OUT free_after_seconds double precision
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
    accepted := used < p_limit;
    IF accepted THEN
      INSERT INTO rate_hits (bucket, at) VALUES (p_bucket, v_now);
      used := used + 1;
    END IF;
    -- The next place is free when the oldest hit leaves; with a limit that was lowered, when enough of them have left.
    SELECT extract(epoch FROM at - v_start) INTO free_after_seconds
      FROM rate_hits WHERE bucket = p_bucket ORDER BY at OFFSET greatest(used - p_limit, 0) LIMIT 1;
    EXIT WHEN accepted OR free_after_seconds IS NULL OR free_after_seconds > 0.005;
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
  SELECT count(*) INTO used FROM rate_hits
    WHERE bucket = p_bucket AND CASE WHEN at > v_now THEN least(v_now, at - v_back) ELSE at END > v_start;
  accepted := used < p_limit;
  SELECT extract(epoch FROM moved.at - v_start) INTO free_after_seconds
    FROM (
      SELECT CASE WHEN at > v_now THEN least(v_now, at - v_back) ELSE at END AS at FROM rate_hits WHERE bucket = p_bucket
    ) AS moved
    WHERE moved.at > v_start ORDER BY moved.at OFFSET greatest(used - p_limit, 0) LIMIT 1;
END $$;

-- Deployments in the order of their making, which their times and ids do not give when the clock is set back.
ALTER TABLE deployments ADD COLUMN number bigint;
UPDATE deployments SET number = counted.number
  FROM (SELECT id, row_number() OVER (ORDER BY id) AS number FROM deployments) AS counted
  WHERE counted.id = deployments.id;
ALTER TABLE deployments
  ALTER COLUMN number SET NOT NULL,
  ALTER COLUMN number ADD GENERATED ALWAYS AS IDENTITY;
SELECT setval(pg_get_serial_sequence('deployments', 'number'), (SELECT coalesce(max(number), 0) + 1 FROM deployments), false);
