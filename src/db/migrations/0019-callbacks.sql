-- Each authentication method has its own redirect URI, so that no provider can pass off the answer of another one as its own
-- (RFC 9700, section 4.4). Those made before registered one address for all at their provider.
alter table authentication_methods add column shares_callback boolean not null default false;
update authentication_methods set shares_callback = true where kind = 'openid-delegated';
