-- The last report to the forge, by the word of the glossary.
ALTER TABLE statement_checks RENAME COLUMN told TO reported;
