-- How a job ended, as a word of the catalogue beside its sentence. Null for what ended before there were words.
ALTER TABLE static_exports ADD COLUMN error_code text;
ALTER TABLE deployments ADD COLUMN error_code text;
ALTER TABLE agent_jobs ADD COLUMN error_code text;

UPDATE static_exports SET error_code = 'cancelled' WHERE error = 'The export was cancelled.';
UPDATE agent_jobs SET error_code = 'cancelled' WHERE error = 'The job was cancelled.';

-- The events tell each state of a job as its callers see it.
UPDATE agent_job_events SET data = data || jsonb_build_object(
  'errorCode', CASE data ->> 'error' WHEN 'The job was cancelled.' THEN 'cancelled' END
) WHERE type = 'job';
