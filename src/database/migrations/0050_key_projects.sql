-- Keys that are limited to some projects. Null: all of the organization. Ids stay when a project goes: a limit never grows.
ALTER TABLE api_keys ADD COLUMN project_ids text[] COLLATE "C" CHECK (cardinality(project_ids) > 0);
