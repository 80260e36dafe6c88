-- Rows that arrived and cannot be read. What takes a buffer over keeps them here and goes on with the others. They are hot
-- points still, so whoever asks for their series is told. It is made first and then attached, so that readers go on.
create table datapoints_hot_damaged (like datapoints_hot);
alter table datapoints_hot_damaged alter column series set storage external, alter column points set storage external;
alter table datapoints_hot attach partition datapoints_hot_damaged for values in (-1);
