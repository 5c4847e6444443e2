-- Reasoning effort that somebody asked for; null: that of the server.
ALTER TABLE agent_jobs ADD COLUMN effort text CHECK (effort IN ('low', 'medium', 'high'));
