-- Rows that arrived and cannot be read. What takes a buffer over keeps them here and goes on with the others. They are hot
-- points still, so whoever asks for their series is told.
create table datapoints_hot_damaged partition of datapoints_hot for values in (-1);
