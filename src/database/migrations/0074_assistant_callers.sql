-- Who asked: a page of the site, a program with a key, or anything else.
ALTER TABLE assistant_questions
  ADD COLUMN caller text COLLATE "C" NOT NULL DEFAULT 'web' CHECK (caller IN ('web', 'api', 'other'));
