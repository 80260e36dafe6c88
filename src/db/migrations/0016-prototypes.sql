-- Only prototypes report the events of some models (limitToPrototypes). What is a prototype is said of a component, or of
-- a system with all of its components.

alter table systems add column is_prototype boolean not null default false;
alter table components add column is_prototype boolean not null default false;
