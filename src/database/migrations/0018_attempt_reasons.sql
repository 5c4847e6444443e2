-- Why the last attempt ended stands in the row while the work waits for the next one.
ALTER TABLE static_exports DROP CONSTRAINT static_exports_check2,
  ADD CONSTRAINT static_exports_error CHECK (
    CASE status WHEN 'failed' THEN error IS NOT NULL WHEN 'completed' THEN error IS NULL ELSE true END
  );
ALTER TABLE deployments DROP CONSTRAINT deployments_check1,
  ADD CONSTRAINT deployments_error CHECK (
    CASE status WHEN 'failed' THEN error IS NOT NULL WHEN 'published' THEN error IS NULL ELSE true END
  );
