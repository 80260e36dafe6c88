-- Lists of systems, components and events by the value of a metadata key (docs/decisions/0071). A value may be that of many,
-- so an inverted index has each value once. It has hashes, since a text can be longer than an index holds, and the domain is
-- in each hash: the values of other domains are not looked at. In SQL it would be planned again for each statement that writes.
create function metadata_hashes(of_domain bigint, metadata jsonb) returns bigint[]
language plpgsql immutable parallel safe as $$
begin
  return array(select hashtextextended(item::text, of_domain) from jsonb_array_elements(metadata) item);
end
$$;

-- Without a list of pending entries, which each look-up would read from its beginning to its end.
create index systems_by_metadata on systems using gin (metadata_hashes(domain_id, metadata))
  with (fastupdate = off) where metadata <> '[]';
create index components_by_metadata on components using gin (metadata_hashes(domain_id, metadata))
  with (fastupdate = off) where metadata <> '[]';
create index events_by_metadata on events using gin (metadata_hashes(domain_id, metadata))
  with (fastupdate = off) where metadata <> '[]';

-- The uuids of rows of a table that have all of these items of metadata, or of rows with the same hashes; no more than `most`.
-- Row level security lets only leakproof operators use an index, and that of arrays is none. So this runs as the owner of the
-- tables, in the domain of its caller, who reads the rows themselves behind the wall. It gives nothing but uuids. A scan of
-- any other index would cost as much as the table, whatever the planner knows of it.
create function find_by_metadata(of_table text, wanted jsonb, most integer) returns setof uuid
language plpgsql stable security definer set search_path = public, pg_temp set enable_seqscan = off as $$
declare
  of_domain bigint := current_setting('holdfast.domain_id')::bigint;
begin
  if of_table not in ('systems', 'components', 'events') then
    raise exception 'there is no metadata in %', of_table;
  end if;
  return query execute format(
    'select t.uuid from %I t where (t.domain_id = $1) is true and t.metadata <> ''[]''
       and metadata_hashes(t.domain_id, t.metadata) @> metadata_hashes($1, $2) limit $3', of_table)
    using of_domain, wanted, most;
end
$$;
revoke execute on function find_by_metadata(text, jsonb, integer) from public;
grant execute on function find_by_metadata(text, jsonb, integer) to holdfast_domain;
