-- Up to which commit of a code repository the job of a run brings the pages.

ALTER TABLE automation_runs ADD COLUMN code jsonb;
