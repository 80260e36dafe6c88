-- Roles within an organization or unit (docs/decisions/0019). What belongs to a system says of which unit the system is,
-- so that one comparison tells whether somebody whose role counts within some units may see it.

alter table components add column unit_uuid uuid;
alter table events add column unit_uuid uuid;
alter table setpoints add column unit_uuid uuid;
alter table series add column unit_uuid uuid;

-- A system that moves to another unit is no news of its events and setpoints: nobody who follows them hears them again.
drop trigger note_changing_transaction on events;
drop trigger note_changing_transaction on setpoints;
create trigger note_changing_transaction before update on events
  for each row when (old.unit_uuid is not distinct from new.unit_uuid) execute function note_changing_transaction();
create trigger note_changing_transaction before update on setpoints
  for each row when (old.unit_uuid is not distinct from new.unit_uuid) execute function note_changing_transaction();

update components c set unit_uuid = s.unit_uuid from systems s
  where s.domain_id = c.domain_id and s.uuid = c.system_uuid and s.unit_uuid is not null;
update events e set unit_uuid = s.unit_uuid from systems s
  where s.domain_id = e.domain_id and s.uuid = e.system_uuid and s.unit_uuid is not null;
update setpoints p set unit_uuid = s.unit_uuid from systems s
  where s.domain_id = p.domain_id and s.uuid = p.system_uuid and s.unit_uuid is not null;
update series r set unit_uuid = s.unit_uuid from systems s
  where s.domain_id = r.domain_id and s.uuid = r.system_uuid and s.unit_uuid is not null;

-- Systems have theirs already. A domain without units has nothing in these.
create index components_of_unit on components (domain_id, unit_uuid) where unit_uuid is not null;
create index events_of_unit on events (domain_id, unit_uuid, begins_at, uuid) where unit_uuid is not null;
create index setpoints_of_unit on setpoints (domain_id, unit_uuid, created_at, uuid) where unit_uuid is not null;
create index series_of_unit on series (domain_id, unit_uuid) where unit_uuid is not null;

-- The second wall, beside that of the domain. `holdfast.units` is `*` for work on the whole domain, or else the uuids of
-- the units within which somebody's role counts, in one text. All uuids are of one length and have their hyphens at the
-- same places, with a comma between them, so one is never found across two others. What belongs to no unit is outside.
create policy own_units on systems as restrictive to holdfast_domain
  using (current_setting('holdfast.units') = '*' or strpos(current_setting('holdfast.units'), unit_uuid::text) > 0);
create policy own_units on components as restrictive to holdfast_domain
  using (current_setting('holdfast.units') = '*' or strpos(current_setting('holdfast.units'), unit_uuid::text) > 0);
create policy own_units on events as restrictive to holdfast_domain
  using (current_setting('holdfast.units') = '*' or strpos(current_setting('holdfast.units'), unit_uuid::text) > 0);
create policy own_units on setpoints as restrictive to holdfast_domain
  using (current_setting('holdfast.units') = '*' or strpos(current_setting('holdfast.units'), unit_uuid::text) > 0);
create policy own_units on series as restrictive to holdfast_domain
  using (current_setting('holdfast.units') = '*' or strpos(current_setting('holdfast.units'), unit_uuid::text) > 0);
