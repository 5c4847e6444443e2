-- Mails that wait, and what became of those that were sent. What a mail says is read when it is sent.
--
--     waiting ──accepted──▶ sent
--      │  ▲ │
--      │  └─┘ a try that failed for now, or nothing heard of a try within its lease
--      ├──refused for good, or tried for too long──▶ failed
--      └──nothing left to say──▶ dropped
CREATE TABLE mails (
  -- the Message-ID is made of it, so that a mail that came twice is recognised
  id text COLLATE "C" PRIMARY KEY,
  kind text NOT NULL,
  -- null: of no organization
  organization_id text COLLATE "C" REFERENCES organizations (id) ON DELETE CASCADE,
  -- null: for somebody without an account
  user_id text COLLATE "C" REFERENCES users (id) ON DELETE CASCADE,
  -- to whom
  address text COLLATE "C" NOT NULL,
  -- id of the thing that it is about
  subject text COLLATE "C" NOT NULL,
  -- a link that only the receiver may see, under the secret of the node; gone when the mail has ended
  sealed bytea,
  status text NOT NULL DEFAULT 'waiting' CHECK (status IN ('waiting', 'sent', 'failed', 'dropped')),
  attempts integer NOT NULL DEFAULT 0,
  -- the next try, or the end of the lease of the one under way
  due_at timestamptz(3) NOT NULL,
  give_up_at timestamptz(3) NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  ended_at timestamptz(3),
  -- of the last try that failed
  error text,
  CHECK ((status = 'waiting') = (ended_at IS NULL)),
  FOREIGN KEY (organization_id, user_id) REFERENCES members (organization_id, user_id) ON DELETE CASCADE
);
CREATE INDEX mails_due ON mails (due_at) WHERE status = 'waiting';
CREATE INDEX mails_by_end ON mails (ended_at) WHERE status <> 'waiting';
CREATE INDEX mails_by_organization ON mails (organization_id, kind, created_at);
CREATE INDEX mails_by_user ON mails (user_id, kind, created_at);
CREATE INDEX mails_by_address ON mails (address, kind, created_at);
CREATE INDEX mails_by_subject ON mails (subject);
