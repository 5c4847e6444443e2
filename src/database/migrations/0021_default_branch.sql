-- What the default branch of a project's repository was called when it was last fetched from: jobs of a project that
-- names no branch say it from the beginning.
ALTER TABLE projects ADD COLUMN default_branch text;
