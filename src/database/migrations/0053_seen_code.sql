-- Of an automation that follows a repository of code: the commit that it has seen last, and of which address and ref:
-- {"commit", "of"}; null: none yet.
ALTER TABLE automations ADD COLUMN seen_code jsonb;
