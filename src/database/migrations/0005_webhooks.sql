-- Webhooks out. An event is written in the transaction of the change it tells of (src/database/outbox.ts); the dispatcher
-- makes a delivery of it for each endpoint that takes it, and sends those (src/webhooks).

CREATE TABLE webhook_endpoints (
  id text COLLATE "C" PRIMARY KEY,
  organization_id text NOT NULL REFERENCES organizations,
  -- Null: events of all projects.
  project_id text REFERENCES projects,
  url text NOT NULL,
  description text,
  -- Sealed: only a node with the right secret can sign with it.
  secret bytea NOT NULL,
  events text[] NOT NULL CHECK (cardinality(events) > 0),
  enabled boolean NOT NULL DEFAULT true,
  disabled_reason text,
  -- Failed tries since the last one that went well. While there are many, it is tried only now and then.
  failures integer NOT NULL DEFAULT 0,
  resting_until timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  updated_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  CHECK (enabled = (disabled_reason IS NULL))
);
CREATE INDEX webhook_endpoints_newest ON webhook_endpoints (organization_id, id DESC);

CREATE TABLE webhook_events (
  id text COLLATE "C" PRIMARY KEY,
  organization_id text NOT NULL,
  -- Null: of the organization as a whole.
  project_id text,
  type text NOT NULL,
  data jsonb NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  -- Its deliveries have been made.
  is_spread boolean NOT NULL DEFAULT false
);
CREATE INDEX webhook_events_waiting ON webhook_events (id) WHERE NOT is_spread;
CREATE INDEX webhook_events_by_age ON webhook_events (created_at);

-- pending → delivered | dead; either → pending by a replay. Each move is one guarded UPDATE in src/webhooks/deliveries.ts.
CREATE TABLE webhook_deliveries (
  endpoint_id text COLLATE "C" NOT NULL REFERENCES webhook_endpoints ON DELETE CASCADE,
  event_id text COLLATE "C" NOT NULL REFERENCES webhook_events ON DELETE CASCADE,
  status text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'delivered', 'dead')),
  -- Since it was made or replayed.
  attempts integer NOT NULL DEFAULT 0,
  -- While a try is under way, this is when another one is made if nothing is heard of it.
  next_attempt_at timestamptz(3) DEFAULT clock_timestamp(),
  last_attempt_at timestamptz(3),
  -- Three days after it was made or replayed.
  give_up_at timestamptz(3) NOT NULL,
  response_status integer,
  response_excerpt text,
  error text,
  created_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  ended_at timestamptz(3),
  PRIMARY KEY (endpoint_id, event_id),
  CHECK ((status = 'pending') = (next_attempt_at IS NOT NULL)),
  CHECK ((status = 'pending') = (ended_at IS NULL))
);
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (endpoint_id, next_attempt_at) WHERE status = 'pending';
CREATE INDEX webhook_deliveries_dead ON webhook_deliveries (endpoint_id, event_id) WHERE status = 'dead';
CREATE INDEX webhook_deliveries_ended ON webhook_deliveries (ended_at) WHERE ended_at IS NOT NULL;
CREATE INDEX webhook_deliveries_late ON webhook_deliveries (give_up_at) WHERE status = 'pending';
CREATE INDEX webhook_deliveries_by_event ON webhook_deliveries (event_id);
