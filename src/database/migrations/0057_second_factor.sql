-- How a session was proved, and when last: by a password, a code, a passkey or the provider of single sign-on.
ALTER TABLE sessions
  ADD COLUMN proved_at timestamptz(3) NOT NULL DEFAULT now(),
  -- A code or a passkey was shown in it.
  ADD COLUMN second_factor boolean NOT NULL DEFAULT false,
  ADD COLUMN by_provider boolean NOT NULL DEFAULT false;
UPDATE sessions SET proved_at = sessions.created_at, second_factor = users.two_factor_enabled
FROM users WHERE users.id = sessions.user_id;

ALTER TABLE organizations
  -- Since when members need a second factor; null: they do not.
  ADD COLUMN second_factor_since timestamptz(3),
  -- So many days from then, and from when they join, they may do without.
  ADD COLUMN second_factor_days integer NOT NULL DEFAULT 0 CHECK (second_factor_days BETWEEN 0 AND 90),
  -- The provider of single sign-on asks for a second factor itself.
  ADD COLUMN second_factor_by_provider boolean NOT NULL DEFAULT false,
  -- Of e-mail addresses, whose people alone may join; none: anybody may.
  ADD COLUMN mail_domains text[] COLLATE "C" NOT NULL DEFAULT '{}';
