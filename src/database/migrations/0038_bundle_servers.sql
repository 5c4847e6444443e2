-- Servers that the pages of a bundle let readers try through the platform; null in those that were made before.
ALTER TABLE static_exports ADD COLUMN call_servers text[];
