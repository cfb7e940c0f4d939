-- For a database restored from a backup, before the service starts on it (docs/operations.md).

-- Clients know events that the backup does not: every cursor becomes unknown, so each is told to fetch anew.
DELETE FROM events;
DELETE FROM event_payloads;
INSERT INTO event_cursors (user_id, last_seq) SELECT id, 1000000 FROM users WHERE true
  ON CONFLICT (user_id) DO UPDATE SET last_seq = last_seq + 1000000;

-- Calls that were going on have ended since: the service ends them with its first sweep.
UPDATE calls SET deadline_at = strftime('%Y-%m-%d %H:%M:%f', 'now') WHERE deadline_at IS NOT NULL;
-- What their terminals signalled is of no use to anybody, and holds addresses.
DELETE FROM call_signals;

-- URLs of files that were uploaded after the backup are still valid: new files never get their ids.
INSERT INTO sqlite_sequence (name, seq) SELECT 'attachments', 0
  WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = 'attachments');
UPDATE sqlite_sequence SET seq = seq + 1000000 WHERE name = 'attachments';
