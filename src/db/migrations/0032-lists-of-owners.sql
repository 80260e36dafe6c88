-- The lists of an owner, such as the components of a model, in their order. Each index takes the place of one without the
-- order, so that writing touches no more of them.
-- Those of setpoints stay without it: before it has statistics, PostgreSQL would take one with times for the times of a system.
drop index systems_of_unit;
create index systems_of_unit on systems (domain_id, unit_uuid, name, uuid) where unit_uuid is not null;
drop index components_of_system;
create index components_of_system on components (domain_id, system_uuid, name, uuid);
drop index components_of_model;
create index components_of_model on components (domain_id, model_uuid, name, uuid);
drop index events_of_model;
create index events_of_model on events (domain_id, model_uuid, begins_at, uuid);

-- Most sign-ins change none of these columns.
create index external_identities_of_method on external_identities (domain_id, method_uuid, created_at, uuid);

-- Few rows, whose times change often. So these have no order, and a count that grows touches none of them.
create index refused_datapoints_of_system on refused_datapoints (domain_id, system_uuid);
create index refused_datapoints_of_component on refused_datapoints (domain_id, component_uuid);
create index refused_datapoints_of_service on refused_datapoints (domain_id, service_uuid);
create index refused_datapoints_of_characteristic on refused_datapoints (domain_id, characteristic_uuid);
