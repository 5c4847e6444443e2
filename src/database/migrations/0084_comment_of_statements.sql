-- The comment of a pull request, with the alarms that it lists: a reaction to it confirms these.
ALTER TABLE statement_checks ADD COLUMN comment jsonb;
