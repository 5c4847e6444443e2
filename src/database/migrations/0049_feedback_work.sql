-- Feedback as work: who takes care of an entry, and the labels that it carries.

CREATE TABLE feedback_labels (
  id text COLLATE "C" PRIMARY KEY,
  project_id text COLLATE "C" NOT NULL REFERENCES all_projects (id) ON DELETE CASCADE,
  name text NOT NULL,
  colour text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT clock_timestamp()
);
CREATE UNIQUE INDEX feedback_labels_by_name ON feedback_labels (project_id, lower(name));

ALTER TABLE feedback
  -- Of a member of the organization, without a foreign key: who leaves is taken out in the same transaction.
  ADD COLUMN assignee_id text COLLATE "C",
  -- Of labels of the project, at most 20. A label that is deleted is taken out in the same transaction.
  ADD COLUMN label_ids text[] COLLATE "C" NOT NULL DEFAULT '{}';

-- Both leave out what nobody works on: a vote of a reader pays for neither.
CREATE INDEX feedback_by_assignee ON feedback (assignee_id, project_id, sort_at DESC, id DESC)
  WHERE assignee_id IS NOT NULL;
CREATE INDEX feedback_by_label ON feedback USING gin (label_ids) WHERE label_ids <> '{}';
