-- The origins whose pages may call the API of a domain from a browser (CORS). By default there are none.
alter table access_settings add column allowed_origins text[] not null default '{}';
