-- Which feedback widgets pages show: { "thumbs": true, "bundles": true }; what is left out is for docs.json to say.
ALTER TABLE projects ADD COLUMN widgets jsonb NOT NULL DEFAULT '{}';
-- As they were when the export was started, so that a later attempt renders the same.
ALTER TABLE static_exports ADD COLUMN widgets jsonb NOT NULL DEFAULT '{}';
