-- Returns the length of a period and of its slices in milliseconds, and how long a leased request may be used.
create function af_period(p_period text, out length bigint, out slice bigint, out usable bigint)
language plpgsql immutable as $$
begin
  length := case p_period when 'second' then 1000 when 'minute' then 60000 when 'hour' then 3600000
    when 'day' then 86400000 when 'month' then 2592000000 end;
  slice := case p_period when 'second' then 100 when 'minute' then 2000 when 'hour' then 60000
    when 'day' then 900000 when 'month' then 28800000 end;
  usable := case p_period when 'second' then 150 when 'minute' then 2000 else 5000 end;
end $$;
