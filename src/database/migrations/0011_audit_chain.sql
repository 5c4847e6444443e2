-- The rows of the audit log of an organization form a chain: each holds the hash of the one before it, so that a changed,
-- removed or reordered row shows (`octavo audit verify`). The database makes the chain itself, at the commit, so that
-- nobody who writes a row can leave it out; changes of one organization take turns there, and only there.

ALTER TABLE audit_rows
  -- From 1 on, without a gap within the organization. Null between the insert and the commit.
  ADD COLUMN number bigint,
  -- SHA-256 over the hash of the row before and all of this row.
  ADD COLUMN hash bytea;

CREATE TABLE audit_chains (
  organization_id text COLLATE "C" PRIMARY KEY,
  -- Of the newest row.
  number bigint NOT NULL,
  hash bytea NOT NULL,
  -- Where what is kept begins: rows up to this number were removed when they were old. 0: from the first on.
  checkpoint_number bigint NOT NULL DEFAULT 0,
  checkpoint_hash bytea NOT NULL DEFAULT '\x'
);

-- Each part goes in with its length in front, so that no two rows have one text. `octavo audit verify` computes the same.
CREATE FUNCTION audit_row_hash(p_before bytea, p_row audit_rows) RETURNS bytea LANGUAGE sql STABLE AS $$
  SELECT sha256(p_before || convert_to(string_agg(octet_length(part) || ':' || part, '' ORDER BY place), 'UTF8'))
  FROM unnest(ARRAY[
    p_row.number::text, p_row.id, p_row.organization_id, p_row.actor, p_row.action, p_row.subject, p_row.details::text,
    (extract(epoch FROM p_row.at) * 1000)::bigint::text
  ]) WITH ORDINALITY AS parts(part, place)
$$;

CREATE FUNCTION chain_audit_row(p_id text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  v_row audit_rows;
  v_before bytea;
BEGIN
  SELECT * INTO v_row FROM audit_rows WHERE id = p_id;
  IF v_row.id IS NULL OR v_row.hash IS NOT NULL THEN
    RETURN;
  END IF;
  INSERT INTO audit_chains (organization_id, number, hash) VALUES (v_row.organization_id, 0, '\x')
    ON CONFLICT DO NOTHING;
  SELECT number + 1, hash INTO v_row.number, v_before FROM audit_chains
    WHERE organization_id = v_row.organization_id FOR UPDATE;
  v_row.hash := audit_row_hash(v_before, v_row);
  UPDATE audit_rows SET number = v_row.number, hash = v_row.hash WHERE id = p_id;
  UPDATE audit_chains SET number = v_row.number, hash = v_row.hash WHERE organization_id = v_row.organization_id;
END $$;

-- What was written before the chain begins it.
DO $$
DECLARE
  v_id text;
BEGIN
  FOR v_id IN SELECT id FROM audit_rows ORDER BY at, id LOOP
    PERFORM chain_audit_row(v_id);
  END LOOP;
END $$;

CREATE UNIQUE INDEX audit_rows_by_number ON audit_rows (organization_id, number);

CREATE FUNCTION chain_new_audit_row() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM chain_audit_row(NEW.id);
  RETURN NULL;
END $$;

-- Deferred to the commit: the lock of the chain is the last one that a transaction takes, and is held for its end alone.
CREATE CONSTRAINT TRIGGER audit_rows_chain AFTER INSERT ON audit_rows
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION chain_new_audit_row();
