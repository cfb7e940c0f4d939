-- For a database restored from a backup, before the service starts on it (docs/operations.md).

-- Clients know events that the backup does not: every cursor becomes unknown, so each is told to fetch anew.
DELETE FROM events;
DELETE FROM event_payloads;
INSERT INTO event_cursors (user_id, last_seq) SELECT id, 1000000 FROM users
  ON DUPLICATE KEY UPDATE last_seq = last_seq + 1000000;

-- Calls that were going on have ended since: the service ends them with its first sweep.
UPDATE calls SET deadline_at = UTC_TIMESTAMP(3) WHERE deadline_at IS NOT NULL;
-- What their terminals signalled is of no use to anybody, and holds addresses.
DELETE FROM call_signals;

-- URLs of files that were uploaded after the backup are still valid: new files never get their ids.
INSERT INTO attachments (id, user_id, status, type, name, extension, size, stored_bytes, storage_key, has_thumbnail,
    use_count, sweep_at, created_at)
  SELECT COALESCE(MAX(id), 0) + 1000000, 0, 'deleted', 'file', '', '', 0, 0, '', 0, 0, UTC_TIMESTAMP(3), UTC_TIMESTAMP(3)
  FROM attachments;
DELETE FROM attachments WHERE storage_key = '';
