create trigger agent_profiles_next_version before update on agent_profiles for each row execute function af_next_version();
create trigger profile_stopped after update on agent_profiles for each row when ((old.is_active AND (NOT new.is_active))) execute function af_profile_stopped();
