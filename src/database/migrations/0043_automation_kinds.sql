-- The interface alone says which kinds there are.
ALTER TABLE automations DROP CONSTRAINT automations_kind_check;
