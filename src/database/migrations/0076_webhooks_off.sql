-- A webhook that a person turns off has no reason; only the server gives one.
ALTER TABLE webhook_endpoints
  DROP CONSTRAINT webhook_endpoints_check,
  ADD CONSTRAINT webhook_endpoints_check CHECK (NOT enabled OR disabled_reason IS NULL);
UPDATE webhook_endpoints SET disabled_reason = NULL WHERE disabled_reason = 'It was switched off.';
