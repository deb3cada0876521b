-- Counts the changes of a row that people edit: the ETag that If-Match is compared with. A trigger does it, so that no statement can forget
-- it.
create function af_next_version() returns trigger language plpgsql as $$
begin
  new.row_version := old.row_version + 1;
  return new;
end $$;
