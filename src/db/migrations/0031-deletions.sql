-- Deletions that somebody asked for (docs/decisions/0074).

-- Ranges of a series whose points are deleted, and may still be in hot tables, blocks or chunks. Readers leave out points in
-- the range with a generation up to this one. Upkeep removes the points, and then the row.
create table erased_ranges (
  domain_id bigint not null,
  series_id bigint not null,
  deletion_uuid uuid not null,
  -- Microseconds since 1970. The end is not part of the range.
  since bigint not null,
  until bigint not null,
  generation bigint not null,
  primary key (domain_id, series_id, deletion_uuid)
);

-- The history of deletions. The uuid is that of the token, so a retry gets the first answer.
create table deletions (
  domain_id bigint not null,
  uuid uuid not null,
  kind text collate "C" not null check (kind in ('SYSTEM', 'COMPONENT', 'EVENT', 'DATAPOINTS')),
  subject uuid,
  name text,
  series jsonb,
  since timestamptz,
  until timestamptz,
  counts jsonb not null,
  actor text not null,
  created_at timestamptz not null,
  primary key (domain_id, uuid)
);
create index deletions_by_time on deletions (domain_id, created_at, uuid);

grant select, insert, delete on erased_ranges to holdfast_domain;
grant select, insert on deletions to holdfast_domain;

alter table erased_ranges enable row level security;
alter table deletions enable row level security;

create policy own_domain on erased_ranges to holdfast_domain
  using (domain_id = current_setting('holdfast.domain_id')::bigint);
create policy own_domain on deletions to holdfast_domain
  using (domain_id = current_setting('holdfast.domain_id')::bigint);
