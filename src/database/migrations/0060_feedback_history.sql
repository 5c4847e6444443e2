-- Who takes care of an entry, and its labels, in its history. Labels by their names then: labels are renamed and deleted.
ALTER TABLE feedback_changes
  ADD COLUMN from_assignee text COLLATE "C",
  ADD COLUMN to_assignee text COLLATE "C",
  ADD COLUMN labels_added text[] NOT NULL DEFAULT '{}',
  ADD COLUMN labels_removed text[] NOT NULL DEFAULT '{}',
  DROP CONSTRAINT feedback_changes_check1,
  ADD CONSTRAINT feedback_changes_say_something CHECK (
    to_status IS NOT NULL OR note IS NOT NULL OR from_assignee IS DISTINCT FROM to_assignee
    OR labels_added <> '{}' OR labels_removed <> '{}');
