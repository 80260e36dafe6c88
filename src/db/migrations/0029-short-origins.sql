-- A page of the history reads the origins of a thousand applies. Clients could send texts of any length in them; now 500
-- characters are the most. The id of an apply that was rolled back, and honest texts, are far shorter.
update applies set origin = (
  select jsonb_object_agg(name, case when jsonb_typeof(value) = 'string' then to_jsonb(left(value #>> '{}', 500)) else value end)
  from jsonb_each(origin) member (name, value)
) where octet_length(origin::text) > 4096;
