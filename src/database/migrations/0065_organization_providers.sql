-- Single sign-on of one organization: for addresses of its domains, and into it alone.
CREATE TABLE organization_providers (
  organization_id text COLLATE "C" PRIMARY KEY REFERENCES organizations ON DELETE CASCADE,
  issuer text NOT NULL,
  client_id text NOT NULL,
  name text NOT NULL,
  domains text[] COLLATE "C" NOT NULL CHECK (cardinality(domains) > 0),
  role text COLLATE "C" NOT NULL,
  vouches_for_domains boolean NOT NULL,
  asks_second_factor boolean NOT NULL,
  -- Under the secret of the node, for this issuer.
  sealed bytea NOT NULL,
  last_four text,
  secret_set_at timestamptz(3) NOT NULL DEFAULT now()
);
