-- People: their accounts, how they prove who they are, and what they may do in which organization.

CREATE TABLE users (
  id text COLLATE "C" PRIMARY KEY,
  name text NOT NULL,
  -- As they sign in.
  email text COLLATE "C" NOT NULL UNIQUE CHECK (email = lower(email)),
  email_verified boolean NOT NULL DEFAULT false,
  image text,
  two_factor_enabled boolean NOT NULL DEFAULT false,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now()
);

CREATE TABLE sessions (
  id text COLLATE "C" PRIMARY KEY,
  user_id text COLLATE "C" NOT NULL REFERENCES users ON DELETE CASCADE,
  -- Of no use alone: the cookie also holds a signature of it.
  token text COLLATE "C" NOT NULL UNIQUE,
  expires_at timestamptz(3) NOT NULL,
  address text,
  user_agent text,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE INDEX sessions_by_user ON sessions (user_id);
CREATE INDEX sessions_by_expiry ON sessions (expires_at);

-- A password (`credential`) or an account at a provider of single sign-on.
CREATE TABLE credentials (
  id text COLLATE "C" PRIMARY KEY,
  user_id text COLLATE "C" NOT NULL REFERENCES users ON DELETE CASCADE,
  provider_id text COLLATE "C" NOT NULL,
  -- At the provider; of a password the user's own id.
  account_id text COLLATE "C" NOT NULL,
  -- argon2id, with its parameters and salt.
  password text,
  access_token text,
  refresh_token text,
  id_token text,
  access_token_expires_at timestamptz(3),
  refresh_token_expires_at timestamptz(3),
  scope text,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  UNIQUE (provider_id, account_id)
);
CREATE INDEX credentials_by_user ON credentials (user_id);

-- What is to be shown again within minutes: challenges of passkeys, states of single sign-on, half-done sign-ins.
CREATE TABLE verifications (
  id text COLLATE "C" PRIMARY KEY,
  identifier text COLLATE "C" NOT NULL,
  value text NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE INDEX verifications_by_identifier ON verifications (identifier);
CREATE INDEX verifications_by_expiry ON verifications (expires_at);

CREATE TABLE passkeys (
  id text COLLATE "C" PRIMARY KEY,
  user_id text COLLATE "C" NOT NULL REFERENCES users ON DELETE CASCADE,
  name text,
  public_key text NOT NULL,
  credential_id text COLLATE "C" NOT NULL UNIQUE,
  counter integer NOT NULL,
  device_type text NOT NULL,
  backed_up boolean NOT NULL,
  transports text,
  aaguid text,
  created_at timestamptz(3) DEFAULT now()
);
CREATE INDEX passkeys_by_user ON passkeys (user_id);

-- Codes by time; secret and recovery codes are encrypted with the node's secret.
CREATE TABLE second_factors (
  id text COLLATE "C" PRIMARY KEY,
  user_id text COLLATE "C" NOT NULL REFERENCES users ON DELETE CASCADE,
  secret text NOT NULL,
  recovery_codes text NOT NULL,
  verified boolean DEFAULT true,
  failed_count integer DEFAULT 0,
  locked_until timestamptz(3)
);
CREATE INDEX second_factors_by_user ON second_factors (user_id);

CREATE TABLE members (
  organization_id text COLLATE "C" NOT NULL REFERENCES organizations ON DELETE CASCADE,
  user_id text COLLATE "C" NOT NULL REFERENCES users ON DELETE CASCADE,
  role text NOT NULL CHECK (role IN ('viewer', 'editor', 'admin', 'owner')),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (organization_id, user_id)
);
CREATE INDEX members_by_user ON members (user_id);

-- open → accepted | revoked; past `expires_at` an open one is over.
CREATE TABLE invitations (
  id text COLLATE "C" PRIMARY KEY,
  organization_id text COLLATE "C" NOT NULL REFERENCES organizations ON DELETE CASCADE,
  email text COLLATE "C" NOT NULL CHECK (email = lower(email)),
  role text NOT NULL CHECK (role IN ('viewer', 'editor', 'admin', 'owner')),
  -- SHA-256 of the token in the link.
  hash bytea NOT NULL UNIQUE,
  -- Null: from the command line.
  invited_by text COLLATE "C" REFERENCES users ON DELETE SET NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  expires_at timestamptz(3) NOT NULL,
  accepted_at timestamptz(3),
  revoked_at timestamptz(3)
);
CREATE INDEX invitations_by_organization ON invitations (organization_id, created_at, id);
CREATE INDEX invitations_by_email ON invitations (email);

-- Links that work once: to become the first owner, or to set a new password.
CREATE TABLE one_time_links (
  -- SHA-256 of the token in the link.
  hash bytea PRIMARY KEY,
  purpose text NOT NULL CHECK (purpose IN ('setup', 'password')),
  -- Whose password; null for the setup.
  user_id text COLLATE "C" REFERENCES users ON DELETE CASCADE,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  expires_at timestamptz(3) NOT NULL
);
