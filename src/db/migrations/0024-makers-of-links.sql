-- What the rights of whoever made a link for a password stand on, since a link counts only while its maker could make it. Null:
-- it was made by the operator of the platform itself, or by an earlier release.
alter table password_links add column maker jsonb;
