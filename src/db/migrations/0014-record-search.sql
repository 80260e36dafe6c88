-- What the search of the model looks through. Row level security lets no index be used for a part of a text, since the
-- functions that compare one are not leakproof; so all records of a type are looked through, and it counts how much there is
-- to read. An index that has all that is compared is an eighth of the table, and nothing in it has to be taken out of a
-- body. A longer text than an index holds is null here, and is looked for in its record.
alter table records add column search_text text collate "C" generated always as (
  case when octet_length(lower((key || E'\n' || coalesce(body ->> 'name', '')) collate "default")) <= 1000
    then lower((key || E'\n' || coalesce(body ->> 'name', '')) collate "default") end
) stored;
create index records_search on records (domain_id, type, key, uuid, search_text);
