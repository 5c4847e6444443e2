-- Notifications by mail: which lines go out how, and what each person wants of it.

-- What was told before is not mailed.
ALTER TABLE notifications
  ADD COLUMN mail_pace text NOT NULL DEFAULT 'off' CHECK (mail_pace IN ('new', 'now', 'daily', 'off')),
  -- the mail that holds it; it holds no other
  ADD COLUMN mail_id text COLLATE "C";
-- `new`: nobody has looked yet at what the person wants
ALTER TABLE notifications ALTER COLUMN mail_pace SET DEFAULT 'new';
CREATE INDEX notifications_to_look_at ON notifications (id) WHERE mail_pace = 'new';
CREATE INDEX notifications_to_mail ON notifications (organization_id, user_id)
  WHERE mail_pace IN ('now', 'daily') AND mail_id IS NULL AND read_at IS NULL;
CREATE INDEX notifications_by_mail ON notifications (mail_id) WHERE mail_id IS NOT NULL;

-- One mail of a kind waits for a person; what comes until it is sent is in it.
CREATE UNIQUE INDEX mails_waiting_notifications ON mails (organization_id, user_id, kind)
  WHERE status = 'waiting' AND attempts = 0 AND kind IN ('notifications', 'digest');

-- What differs from the usual.
CREATE TABLE mail_choices (
  organization_id text COLLATE "C" NOT NULL,
  user_id text COLLATE "C" NOT NULL,
  kind text NOT NULL,
  pace text NOT NULL CHECK (pace IN ('now', 'daily', 'off')),
  PRIMARY KEY (organization_id, user_id, kind),
  FOREIGN KEY (organization_id, user_id) REFERENCES members (organization_id, user_id) ON DELETE CASCADE
);
CREATE TABLE mail_people (
  organization_id text COLLATE "C" NOT NULL,
  user_id text COLLATE "C" NOT NULL,
  is_off boolean NOT NULL DEFAULT false,
  digest_hour smallint NOT NULL DEFAULT 8 CHECK (digest_hour BETWEEN 0 AND 23),
  time_zone text NOT NULL DEFAULT 'UTC',
  PRIMARY KEY (organization_id, user_id),
  FOREIGN KEY (organization_id, user_id) REFERENCES members (organization_id, user_id) ON DELETE CASCADE
);

-- The next time that it is this hour there.
CREATE FUNCTION next_hour_at(hour smallint, zone text) RETURNS timestamptz LANGUAGE sql STABLE AS $$
  SELECT CASE WHEN today > clock_timestamp() THEN today
    ELSE (date_trunc('day', clock_timestamp() AT TIME ZONE zone) + interval '1 day' + make_interval(hours => hour))
      AT TIME ZONE zone END
  FROM (SELECT (date_trunc('day', clock_timestamp() AT TIME ZONE zone) + make_interval(hours => hour))
    AT TIME ZONE zone AS today) AS at
$$;
