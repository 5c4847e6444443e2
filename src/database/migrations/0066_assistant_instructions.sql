-- What the published version's repository asks of the assistant; null: nothing.
ALTER TABLE assistant_corpora ADD COLUMN instructions text;
