-- A node of Citus can be restored from a backup without the others. Then series that a process remembers may be missing there,
-- although the model has the same version. So processes also compare when the node has started.
create function node_start() returns text language sql stable as
  'select extract(epoch from pg_postmaster_start_time())::text';

-- The start of the node of a domain. The statement runs on that node, because it reads a row of the domain.
create function node_of(id bigint) returns text language plpgsql stable as $$
begin
  return (select node_start() from domain_state where domain_id = id);
end
$$;

-- Changes two lines of store_flush in 0033-domain-state.sql: the version of a model has the start of its node behind it.
do $$
begin
  execute replace(replace(pg_get_functiondef('store_flush'::regproc), 'model bigint;', 'model text;'),
    's.model_version,', 's.model_version || '' '' || node_start(),');
end
$$;
