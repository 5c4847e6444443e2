-- How a webhook is told: signed events, or sentences for a chat. Of a chat the whole address is a secret: it stands in
-- `secret`, and `url` names its host.
ALTER TABLE webhook_endpoints
  ADD COLUMN format text NOT NULL DEFAULT 'events' CHECK (format IN ('events', 'slack'));
