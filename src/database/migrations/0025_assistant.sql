-- What the assistant of a site answers from: the passages of its published version, and of the newest bundle that the
-- customer hosts. A later version takes the place of the one before; what both have stays as it is.

CREATE TABLE assistant_corpora (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  project_id text COLLATE "C" NOT NULL REFERENCES projects ON DELETE CASCADE,
  place text COLLATE "C" NOT NULL CHECK (place IN ('hosted', 'bundle')),
  -- When what it was made by was started: a slow one never takes the place of a newer one.
  started_at timestamptz(3) NOT NULL,
  passages integer NOT NULL,
  UNIQUE (project_id, place)
);

CREATE TABLE assistant_passages (
  corpus_id bigint NOT NULL REFERENCES assistant_corpora ON DELETE CASCADE,
  -- 16 bytes of SHA-256 over the passage.
  hash bytea NOT NULL,
  path text COLLATE "C" NOT NULL,
  anchor text,
  title text NOT NULL,
  heading text NOT NULL,
  language text COLLATE "C" NOT NULL,
  version text,
  body text NOT NULL,
  -- Weights: A of the heading, B of the title, C of the words about the page, D of the text; and `=` with the corpus,
  -- so that a lookup meets the passages of no other one.
  terms tsvector NOT NULL,
  PRIMARY KEY (corpus_id, hash)
);
CREATE INDEX assistant_passages_terms ON assistant_passages USING gin (terms);
CREATE INDEX assistant_passages_page ON assistant_passages (corpus_id, path);

-- What readers asked and were answered. Of projects, without a foreign key, as feedback is: questions of a site would wait
-- for each other at its row.
CREATE TABLE assistant_questions (
  id text COLLATE "C" PRIMARY KEY,
  project_id text COLLATE "C" NOT NULL,
  thread_id text COLLATE "C" NOT NULL,
  at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  path text COLLATE "C",
  question text NOT NULL,
  -- asking: its answer is on its way, or its server ended in the middle of it.
  status text COLLATE "C" NOT NULL DEFAULT 'asking'
    CHECK (status IN ('asking', 'answered', 'unanswered', 'failed', 'stopped')),
  -- Statements with their sources, as they were shown.
  claims jsonb NOT NULL DEFAULT '[]',
  withheld integer NOT NULL DEFAULT 0,
  helpful boolean
);
CREATE INDEX assistant_questions_newest ON assistant_questions (project_id, at DESC, id DESC);

-- What the answers of a month have used. Tokens of an answer that is on its way are counted at their most.
CREATE TABLE assistant_months (
  project_id text COLLATE "C" NOT NULL,
  month date NOT NULL,
  questions integer NOT NULL DEFAULT 0,
  tokens bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (project_id, month)
);
