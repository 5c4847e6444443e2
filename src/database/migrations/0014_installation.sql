-- What all nodes of one database have in common besides it. One row, written by the first node that starts.
CREATE TABLE installation (
  is_one boolean PRIMARY KEY DEFAULT true CHECK (is_one),
  secret_fingerprint text NOT NULL,
  -- Stands in the object store too, in an object of its own, from when is_store_marked is true.
  store_id text NOT NULL DEFAULT gen_random_uuid()::text,
  is_store_marked boolean NOT NULL DEFAULT false,
  created_at timestamptz(3) NOT NULL DEFAULT now()
);
