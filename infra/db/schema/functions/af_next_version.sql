-- Rows that people change count their changes: the ETag that If-Match is compared with. A trigger does it, so that no
-- statement can forget it; an update that changes nothing is no change.
create function af_next_version() returns trigger language plpgsql as $$
begin
  new.row_version := old.row_version + 1;
  return new;
end $$;
