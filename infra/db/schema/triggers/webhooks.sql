create trigger webhooks_next_version before update on webhooks for each row execute function af_next_version();
