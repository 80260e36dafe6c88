-- What subscriptions are told of events, setpoints and applies (docs/decisions/0036).

-- What one transaction has changed. Whoever changes something writes a row without a number, and waits for nobody.
-- Whoever reads numbers the rows of transactions that have ended, one reader at a time: so the numbers that can be seen are
-- always all up to the last.
create table outbox (
  domain_id bigint not null,
  id bigint generated always as identity,
  topic text collate "C" not null check (topic in ('events', 'setpoints', 'applies')),
  uuids uuid[] not null,
  -- That of the last of its uuids, which have one each. Null until somebody has numbered it.
  number bigint,
  primary key (domain_id, id)
);
create index outbox_unnumbered on outbox (domain_id, topic, id) where number is null;
create unique index outbox_by_number on outbox (domain_id, topic, number) where number is not null;

create table outbox_numbers (
  domain_id bigint not null,
  topic text collate "C" not null,
  last bigint not null default 0,
  -- Rows up to this number are not kept any more.
  forgotten bigint not null default 0,
  primary key (domain_id, topic)
);

grant select, insert, update, delete on outbox, outbox_numbers to holdfast_domain;

alter table outbox enable row level security;
alter table outbox_numbers enable row level security;

create policy own_domain on outbox to holdfast_domain
  using (domain_id = current_setting('holdfast.domain_id')::bigint);
create policy own_domain on outbox_numbers to holdfast_domain
  using (domain_id = current_setting('holdfast.domain_id')::bigint);
