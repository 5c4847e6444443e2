-- What the check of a change looked at beside the site itself: rules of prose, names, addresses of other sites.
ALTER TABLE agent_jobs ADD COLUMN checks jsonb;
