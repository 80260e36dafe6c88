-- Which apply came after which is said by the database, never by a clock: clocks step back, and those of two servers
-- differ. An apply draws its number while it holds the lock of its domain, so the numbers are in the order of commits.
alter table applies add column number bigint;

-- The transactions of the applies so far say their order, except where the rows were brought here from another cluster
-- that had counted further than this one: there only the times are left.
update applies set number = ordered.number
from (
  select a.domain_id, a.uuid, row_number() over (
    partition by a.domain_id order by case when not foreign_rows.any_here then a.changed_by end, a.applied_at, a.uuid
  ) as number
  from applies a
  cross join (
    select exists (select from applies where changed_by >= pg_snapshot_xmax(pg_current_snapshot())) as any_here
  ) foreign_rows
) ordered
where applies.domain_id = ordered.domain_id and applies.uuid = ordered.uuid;

alter table applies alter column number set not null;
create unique index applies_by_number on applies (domain_id, number);
drop index applies_by_time;
