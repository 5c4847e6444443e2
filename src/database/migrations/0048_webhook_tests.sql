-- A test is tried at once, whatever waits at its endpoint.
ALTER TABLE webhook_deliveries ADD COLUMN is_test boolean NOT NULL DEFAULT false;
CREATE INDEX webhook_deliveries_tests ON webhook_deliveries (endpoint_id, next_attempt_at)
  WHERE is_test AND status = 'pending' AND attempts = 0;
