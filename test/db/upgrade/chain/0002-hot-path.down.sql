drop function af_effect_sent(uuid, text, integer, text, text, json);
drop function af_release(uuid, text, integer, text);
drop function af_step(uuid, json, json, json, json, json, json, json);
drop function af_recorded(uuid, text, integer);
drop function af_touch(uuid, bigint, bigint, json, timestamptz);
drop function af_append(uuid, uuid, bigint, json);
drop function af_closed(text);
