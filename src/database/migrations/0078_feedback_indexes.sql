-- Smaller indexes of feedback: 1.3 instead of 2.5 bytes for a byte of rows when they are built, and close to it later.
-- On a table of a million rows, votes wait for about 5 s, and reads for less than a second.
--
-- Ascending, although lists are read downwards: entries arrive with rising times, and only pages that fill at the right
-- end of a range stay full. Two indexes begin with a hash of the columns that queries compare, a quarter as long.
-- src/features/feedback/page-sql.ts shows which list reads which index, and tests/feedback/indexes.test.ts checks it.

-- Lists and exports without filters, counts of a period, the newest entries of a project (polls, floods, spikes).
CREATE INDEX feedback_by_time ON feedback (project_id, sort_at, id);
-- Lists, exports and counts by source, by status, or by both; open entries; pending ones for automations.
CREATE INDEX feedback_by_state ON feedback
  (hashtextextended(project_id || ' ' || source || ' ' || status, 0), sort_at, id);
-- Lists, exports and counts of one page.
CREATE INDEX feedback_by_page ON feedback (hashtextextended(project_id || ' ' || path, 0), sort_at, id);

-- Columns and their hashes match the same rows; the planner would multiply their shares without knowing it.
CREATE STATISTICS feedback_states (dependencies, mcv)
  ON project_id, source, status, (hashtextextended(project_id || ' ' || source || ' ' || status, 0)) FROM feedback;
CREATE STATISTICS feedback_pages (dependencies)
  ON project_id, path, (hashtextextended(project_id || ' ' || path, 0)) FROM feedback;
ANALYZE feedback;

DROP INDEX feedback_newest, feedback_by_status, feedback_by_source, feedback_by_path;

-- The others stay:
--   feedback_pkey         one entry; the rows of a page of keys; joins from changes, jobs and automations
--   feedback_by_client    a repeated message of a reader, and the withdrawal of a vote
--   feedback_same         groups of equal texts and code blocks, counted in the index; duplicates of an entry
--   feedback_by_assignee  lists by assignee, members who leave; assigned entries only
--   feedback_by_label     lists by label, labels that are deleted; labelled entries only
