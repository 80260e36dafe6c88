-- Whose the managed record types are: record type → owner. A type that is absent belongs to the local owner. Null until an
-- apply has written it: then the history tells by which repository each type was applied the last time.
alter table domains add column type_owners jsonb;
-- The owners before an apply, which a rollback needs; null for applies of older releases.
alter table applies add column owners_before jsonb;
