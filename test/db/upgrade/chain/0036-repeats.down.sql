set local role af_migrate;

drop function af_repeat_child(uuid, uuid, uuid, uuid, text, text), af_answers_of(uuid), af_stops(uuid);
alter table runs drop column effect_root;
