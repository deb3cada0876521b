alter table runs drop column retry_overrides;
alter table runs drop column retry_presets;
