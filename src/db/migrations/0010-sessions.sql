-- What has ended stays ended, whoever writes late; sessions are listed; guessing is slowed down over all processes.

-- The session that a code or token came out of: its uid, which no browser has.
alter table artifacts add column session_uid text collate "C";
update artifacts set session_uid = payload ->> 'sessionUid' where payload ? 'sessionUid';
create index artifacts_of_session on artifacts (domain_id, session_uid) where session_uid is not null;

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

grant select, insert, update, delete on ended_artifacts, sign_in_failures, sign_in_places to holdfast_domain;

alter table ended_artifacts enable row level security;
alter table sign_in_failures enable row level security;
alter table sign_in_places enable row level security;

create policy own_domain on ended_artifacts to holdfast_domain
  using (domain_id = current_setting('holdfast.domain_id')::bigint);
create policy own_domain on sign_in_failures to holdfast_domain
  using (domain_id = current_setting('holdfast.domain_id')::bigint);
create policy own_domain on sign_in_places to holdfast_domain
  using (domain_id = current_setting('holdfast.domain_id')::bigint);
