-- A key never may more than its maker may at the moment of the call.

ALTER TABLE api_keys
  -- The member who made it, or took it over. Null: the operator, at the command line; such a key may what its scopes say.
  ADD COLUMN maker_id text COLLATE "C" REFERENCES users,
  -- Beside the maker's own: a key that was taken over may no more than it could before. Null: no more is said.
  ADD COLUMN role_limit text CHECK (role_limit IN ('viewer', 'editor', 'admin', 'owner'));
CREATE INDEX api_keys_by_maker ON api_keys (maker_id);

-- Keys from before have their makers in the audit log.
UPDATE api_keys SET maker_id = made.actor
FROM audit_rows AS made, users AS person
WHERE made.action = 'api_key.created' AND made.subject = api_keys.id AND person.id = made.actor
  AND made.organization_id = api_keys.organization_id;

ALTER TABLE organizations
  -- The longest that a key may live. Null: as long as its maker wants.
  ADD COLUMN max_key_days integer CHECK (max_key_days IN (7, 30, 60, 90));
