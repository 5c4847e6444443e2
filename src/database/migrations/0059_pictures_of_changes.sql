-- What a changed file holds is a text or a picture. Pictures stand here as their bytes: they go with the row.
alter table agent_job_changes
  add column picture bytea,
  add constraint agent_job_changes_text_or_picture check (content is null or picture is null);

-- Where the pictures that a job placed come from, by their digests: kept for as long as the job.
alter table agent_jobs add column picture_sources jsonb not null default '{}';
