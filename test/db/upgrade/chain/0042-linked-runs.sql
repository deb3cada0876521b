-- What the page of an approval link names beside the request, and the directories that administrators let file connectors read.
set local role af_migrate;

-- ── the run behind a link ───────────────────────────────────────────────────────────────────────
-- Whoever holds the token decides about this run: they see which it is and who asks, and nothing else of it.
create function af_linked_run(p_hash text) returns table (run_id uuid, playbook_slug text, playbook_name text, asked_by text)
  language plpgsql stable rows 1 security definer set search_path = pg_catalog, public, pg_temp as $$
#variable_conflict use_column
begin
  return query select r.id, r.playbook_slug, r.playbook_name, u.handle
    from approval_links l join approvals a on a.id = l.approval_id join runs r on r.id = a.run_id join users u on u.id = r.owner_id
    where l.token_hash = p_hash and af_active_user(l.user_id);
end $$;
grant execute on function af_linked_run(text) to af_login;

-- ── directories of files ────────────────────────────────────────────────────────────────────────
-- Beside those of AF_IMPORT_DIRS. An absolute path; where it leads is looked at when something is read.
create table import_dirs (
  path text primary key check (path like '/%' and length(path) <= 1000),
  granted_by uuid not null references users,
  granted_at timestamptz not null default clock_timestamp()
);
alter table import_dirs enable row level security;
alter table import_dirs force row level security;
create policy import_dirs_af_migrate on import_dirs to af_migrate using (true) with check (true);
create policy import_dirs_af_system on import_dirs to af_system using (true) with check (true);
grant select, insert, delete on import_dirs to af_system;

-- For whoever reads files for a run: the paths alone.
create function af_import_dirs() returns setof text language sql stable
  security definer set search_path = pg_catalog, public, pg_temp as $$
  select path from import_dirs order by path
$$;
grant execute on function af_import_dirs() to af_login;

reset role;
