-- Lists import folders for processes that read files for a run.
create function af_import_dirs() returns setof text language sql stable
  security definer set search_path = pg_catalog, public, pg_temp as $$
  select path from import_dirs order by path
$$;
