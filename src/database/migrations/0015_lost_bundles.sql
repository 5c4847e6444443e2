-- Why the archive of a completed export is gone and cannot be made again. Null: it is there, or can be.
ALTER TABLE static_exports ADD COLUMN bundle_lost text CHECK (bundle_lost IS NULL OR status = 'completed');
