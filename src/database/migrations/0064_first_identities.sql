-- An account has one identity at each provider: the first that was linked to it.
DELETE FROM credentials AS later USING credentials AS first
WHERE first.user_id = later.user_id AND first.provider_id = later.provider_id
  AND (first.created_at, first.id) < (later.created_at, later.id);
CREATE UNIQUE INDEX credentials_of_provider ON credentials (user_id, provider_id);
DROP INDEX credentials_by_user;

-- Where the server took single sign-on for a second factor, its provider goes on to count as one.
INSERT INTO instance_settings (name, value, set_by)
SELECT 'oidcSecondFactor', 'on', set_by FROM instance_settings
WHERE name = 'secondFactor' AND (value::jsonb ->> 'providerCounts')::boolean;
