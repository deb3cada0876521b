-- Positions up to which the detection steps of a monitor have looked.
create table monitor_watermarks (
  monitor_id uuid not null references monitors (id),
  step_name text not null,
  owner_id uuid not null references users (id),
  watermark_type text not null check (watermark_type in ('timestamp', 'cursor', 'hash', 'offset')),
  watermark_value text not null,
  metadata json not null default '{}',
  items_found_last integer not null default 0,
  last_checked_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  primary key (monitor_id, step_name)
);
