-- The time step of the last code that was taken: it and earlier ones are not taken again.
ALTER TABLE second_factors ADD COLUMN last_step integer;
-- No browser does without a code.
DELETE FROM verifications WHERE identifier LIKE 'trust-device-%';
