-- Plans that somebody looks at in the console (docs/decisions/0043): for who made them, for an hour, on every server and
-- worker.
create table kept_plans (
  domain_id bigint not null,
  uuid uuid not null,
  -- The account that made it, with the rights on which it depends how much a plan shows.
  owner text collate "C" not null,
  made_at timestamptz not null,
  forget_at timestamptz not null,
  -- What is stored of it in all, in bytes.
  size bigint not null,
  -- Everything about it but its changes.
  head bytea not null,
  outline bytea not null,
  -- The document with its settings, for the apply: sealed, since it may have secrets. Null where it is not applied from here.
  sealed bytea,
  primary key (domain_id, uuid)
);
create index kept_plans_by_end on kept_plans (domain_id, forget_at);

-- Its changes in parts, as those of an apply are.
create table kept_plan_parts (
  domain_id bigint not null,
  plan_uuid uuid not null,
  place integer not null,
  part bytea not null,
  primary key (domain_id, plan_uuid, place),
  foreign key (domain_id, plan_uuid) references kept_plans (domain_id, uuid) on delete cascade
);
-- They are packed already.
alter table kept_plans alter column outline set storage external, alter column sealed set storage external;
alter table kept_plan_parts alter column part set storage external;

-- Who deletes what is over locks it first, which needs the right to update.
grant select, insert, update, delete on kept_plans, kept_plan_parts to holdfast_domain;

alter table kept_plans enable row level security;
alter table kept_plan_parts enable row level security;

create policy own_domain on kept_plans to holdfast_domain
  using (domain_id = current_setting('holdfast.domain_id')::bigint);
create policy own_domain on kept_plan_parts to holdfast_domain
  using (domain_id = current_setting('holdfast.domain_id')::bigint);
