-- What is issued to those who sign in, and how guessing is slowed down.

-- What was given to whoever signed in: tokens, codes, sessions, consent. Found by the hash of the value that its owner
-- holds, so that these rows are of no use to whoever reads them.
create table artifacts (
  domain_id bigint not null,
  -- As oidc-provider names its models: AccessToken, RefreshToken, Session, Grant, Interaction, …
  kind text collate "C" not null,
  hash bytea not null,
  payload jsonb not null,
  -- What is revoked together.
  grant_id text collate "C",
  -- Of a session: what its tokens know it by.
  uid text collate "C",
  -- The session that a code or token came out of: its uid, which no browser has.
  session_uid text collate "C",
  -- The consumer's client_id, the account and the authentication method, whose status counts on every use.
  client_id text collate "C",
  account_uuid uuid,
  method_uuid uuid,
  scope text,
  issued_at timestamptz not null,
  consumed_at timestamptz,
  expires_at timestamptz not null,
  primary key (domain_id, kind, hash)
);
create index artifacts_of_grant on artifacts (domain_id, grant_id) where grant_id is not null;
create index artifacts_of_account on artifacts (domain_id, account_uuid) where account_uuid is not null;
create index artifacts_by_uid on artifacts (domain_id, uid) where uid is not null;
create index artifacts_of_session on artifacts (domain_id, session_uid) where session_uid is not null;
create index artifacts_by_expiry on artifacts (domain_id, expires_at);

-- Artifacts that were deleted before their time. A request that was underway meanwhile may still save one of them; this
-- keeps it from coming back. A row is kept for longer than any request lasts.
create table ended_artifacts (
  domain_id bigint not null,
  -- As in artifacts; a session has a second row, of the kind SessionUid, for all the names that it may still take.
  kind text collate "C" not null,
  hash bytea not null,
  forget_at timestamptz not null,
  primary key (domain_id, kind, hash)
);
create index ended_artifacts_by_time on ended_artifacts (domain_id, forget_at);

-- The keys that ID tokens are signed with. A key is published before it signs and for a while after.
create table signing_keys (
  domain_id bigint not null,
  kid text collate "C" not null,
  algorithm text not null,
  public_jwk jsonb not null,
  -- The private key, sealed under the platform's key.
  private_jwk bytea not null,
  created_at timestamptz not null,
  signs_from timestamptz not null,
  signs_until timestamptz not null,
  published_until timestamptz not null,
  primary key (domain_id, kid)
);

-- Wrong passwords and client secrets, counted for all processes. What they are counted of stands here as a number that
-- only the platform's key leads to, out of so many that the table cannot grow beyond them.
create table sign_in_failures (
  domain_id bigint not null,
  kind text collate "C" not null,
  slot integer not null,
  failures integer not null,
  -- Until then no further attempt is looked at.
  closed_until timestamptz not null,
  -- From then on it is as if nothing had failed.
  forget_at timestamptz not null,
  primary key (domain_id, kind, slot)
);
create index sign_in_failures_by_time on sign_in_failures (domain_id, forget_at);

-- Networks from which somebody signed in before, by keyed hashes of account and network: others who fail do not stop them.
create table sign_in_places (
  domain_id bigint not null,
  account bytea not null,
  place bytea not null,
  forget_at timestamptz not null,
  primary key (domain_id, account, place)
);
create index sign_in_places_by_time on sign_in_places (domain_id, forget_at);

grant select, insert, update, delete on
  artifacts, ended_artifacts, signing_keys, sign_in_failures, sign_in_places
  to holdfast_domain;

alter table artifacts enable row level security;
alter table ended_artifacts enable row level security;
alter table signing_keys enable row level security;
alter table sign_in_failures enable row level security;
alter table sign_in_places enable row level security;

create policy own_domain on artifacts to holdfast_domain
  using (domain_id = current_setting('holdfast.domain_id')::bigint);
create policy own_domain on ended_artifacts to holdfast_domain
  using (domain_id = current_setting('holdfast.domain_id')::bigint);
create policy own_domain on signing_keys to holdfast_domain
  using (domain_id = current_setting('holdfast.domain_id')::bigint);
create policy own_domain on sign_in_failures to holdfast_domain
  using (domain_id = current_setting('holdfast.domain_id')::bigint);
create policy own_domain on sign_in_places to holdfast_domain
  using (domain_id = current_setting('holdfast.domain_id')::bigint);
