-- Keys that are a day old are forgotten in steps, which look at no other keys.
create index idempotency_keys_by_age on idempotency_keys (domain_id, created_at);
