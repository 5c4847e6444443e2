-- Groups of readers that a bundle is for, beside everybody.
alter table static_exports add column groups text[] not null default '{}';
