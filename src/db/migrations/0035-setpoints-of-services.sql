-- The lists of the setpoints of a service or characteristic, in their order. Each index takes the place of one without the
-- order (0032-lists-of-owners.sql).
drop index setpoints_of_service;
create index setpoints_of_service on setpoints (domain_id, service_uuid, created_at, uuid);
drop index setpoints_of_characteristic;
create index setpoints_of_characteristic on setpoints (domain_id, characteristic_uuid, created_at, uuid);

-- A deletion in steps writes into the history how much is deleted so far. Each step replaces the row.
grant delete on deletions to holdfast_domain;
