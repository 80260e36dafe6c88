-- A role in thousands of units had them in one text, which was searched for each row: half a million rows took minutes. Now
-- many units are in 256 settings by the first two digits of their uuids (src/store/model/units.ts). The policies still
-- compare with plain settings, without a sub-select.
alter policy own_domain on systems
  using (domain_id = current_setting('holdfast.domain_id')::bigint
    and (current_setting('holdfast.units') = '*' or strpos(current_setting('holdfast.units'), unit_uuid::text) > 0
      or strpos(current_setting('holdfast.units_' || left(unit_uuid::text, 2), true), unit_uuid::text) > 0));
alter policy own_domain on components
  using (domain_id = current_setting('holdfast.domain_id')::bigint
    and (current_setting('holdfast.units') = '*' or strpos(current_setting('holdfast.units'), unit_uuid::text) > 0
      or strpos(current_setting('holdfast.units_' || left(unit_uuid::text, 2), true), unit_uuid::text) > 0));
alter policy own_domain on events
  using (domain_id = current_setting('holdfast.domain_id')::bigint
    and (current_setting('holdfast.units') = '*' or strpos(current_setting('holdfast.units'), unit_uuid::text) > 0
      or strpos(current_setting('holdfast.units_' || left(unit_uuid::text, 2), true), unit_uuid::text) > 0));
alter policy own_domain on setpoints
  using (domain_id = current_setting('holdfast.domain_id')::bigint
    and (current_setting('holdfast.units') = '*' or strpos(current_setting('holdfast.units'), unit_uuid::text) > 0
      or strpos(current_setting('holdfast.units_' || left(unit_uuid::text, 2), true), unit_uuid::text) > 0));
alter policy own_domain on series
  using (domain_id = current_setting('holdfast.domain_id')::bigint
    and (current_setting('holdfast.units') = '*' or strpos(current_setting('holdfast.units'), unit_uuid::text) > 0
      or strpos(current_setting('holdfast.units_' || left(unit_uuid::text, 2), true), unit_uuid::text) > 0));
alter policy own_domain on refused_datapoints
  using (domain_id = current_setting('holdfast.domain_id')::bigint
    and (current_setting('holdfast.units') = '*' or strpos(current_setting('holdfast.units'), unit_uuid::text) > 0
      or strpos(current_setting('holdfast.units_' || left(unit_uuid::text, 2), true), unit_uuid::text) > 0));
alter policy own_domain on system_arrivals
  using (domain_id = current_setting('holdfast.domain_id')::bigint
    and (current_setting('holdfast.units') = '*' or strpos(current_setting('holdfast.units'), unit_uuid::text) > 0
      or strpos(current_setting('holdfast.units_' || left(unit_uuid::text, 2), true), unit_uuid::text) > 0));
