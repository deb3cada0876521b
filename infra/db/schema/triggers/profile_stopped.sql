-- Pauses runs of others for a profile that its owner switches off.
create trigger profile_stopped after update on agent_profiles
  for each row when (old.is_active and not new.is_active)
  execute function af_profile_stopped();
