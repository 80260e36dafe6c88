-- The domains whose points a buffer (0010-arrivals.sql) may have, so that a reader takes only the buffers of its domain. A
-- process commits the row before it stores the first point of the domain. A fold removes the rows of domains that sent nothing
-- since the fold before (docs/decisions/0084).
create table domains_of_buffers (
  domain_id bigint not null,
  buffer integer not null,
  primary key (domain_id, buffer)
);
create index domains_of_buffers_buffer on domains_of_buffers (buffer);

-- A process of an earlier release writes no rows, so readers take its buffers whatever their domain.
alter table writer_slots add column notes_domains boolean not null default false;

grant select on domains_of_buffers to holdfast_domain;
alter table domains_of_buffers enable row level security;
create policy own_domain on domains_of_buffers for select to holdfast_domain
  using (domain_id = current_setting('holdfast.domain_id')::bigint);
