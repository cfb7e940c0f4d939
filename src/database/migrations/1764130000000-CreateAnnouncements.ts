import { type MigrationInterface, type QueryRunner, TableIndex } from 'typeorm';
import {
  hasIndex,
  bigint,
  createTable,
  generatedId,
  moment,
  nullable,
  primary,
  text,
  varchar,
} from './schema';

const BROADCASTS = 'notification_broadcasts';
const NOTIFICATIONS = 'notifications';
const COLUMN = 'announcement_id';
const INDEX = new TableIndex({ name: 'ix_notifications_announcement', columnNames: [COLUMN] });
/** Temporary index, by which notifications find their broadcast. */
const BY_TIME = new TableIndex({ name: 'ix_announcements_created', columnNames: ['created_at'] });
/** Range of notification ids per statement. */
const CHUNK = 20_000;
/** A time in the past for every instance, so that the claim counts as expired. */
const LONG_AGO = '2000-01-01 00:00:00.000';

/** Replaces broadcasts by announcements, which store sender and audience. Notifications refer to their announcement. */
export class CreateAnnouncements1764130000000 implements MigrationInterface {
  readonly name = 'CreateAnnouncements1764130000000';

  async up(runner: QueryRunner): Promise<void> {
    await createTables(runner);
    const integer = runner.dataSource.options.type === 'better-sqlite3' ? 'integer' : 'bigint';
    if (!(await runner.hasColumn(NOTIFICATIONS, COLUMN)))
      await runner.query(`ALTER TABLE ${NOTIFICATIONS} ADD COLUMN ${COLUMN} ${integer} NULL`);
    if (await runner.hasTable(BROADCASTS)) {
      await copyBroadcasts(runner);
      await nameAnnouncements(runner);
      await runner.dropTable(BROADCASTS);
    }
    if (!(await hasIndex(runner, NOTIFICATIONS, INDEX))) await runner.createIndex(NOTIFICATIONS, INDEX);
  }

  /** Drops announcements that were recalled or sent to a role: the previous version would treat them as broadcasts. */
  async down(runner: QueryRunner): Promise<void> {
    await createTable(runner, BROADCASTS, {
      columns: [
        bigint('id', primary),
        varchar('type', 50),
        varchar('title', 100),
        varchar('content', 2000),
        varchar('dedupe_key', 100, nullable),
        moment('created_at'),
        text('data', nullable),
      ],
    });
    if (await runner.hasTable('announcements')) {
      await runner.query(
        `INSERT INTO ${BROADCASTS} (id, type, title, content, dedupe_key, created_at, data)
         SELECT broadcast_seq, type, title, content, dedupe_key, created_at, data FROM announcements a
         WHERE broadcast_seq IS NOT NULL AND role IS NULL AND recalled_at IS NULL
           AND NOT EXISTS (SELECT 1 FROM ${BROADCASTS} b WHERE b.id = a.broadcast_seq)`,
      );
      // The next broadcast gets the number after the last one, and no inbox may be beyond that number already.
      const newest = `(SELECT COALESCE(MAX(id), 0) FROM ${BROADCASTS})`;
      await runner.query(
        `UPDATE notification_inboxes SET broadcast_id = ${newest} WHERE broadcast_id > ${newest}`,
      );
    }
    if (await hasIndex(runner, NOTIFICATIONS, INDEX)) await runner.dropIndex(NOTIFICATIONS, INDEX);
    if (await runner.hasColumn(NOTIFICATIONS, COLUMN))
      await runner.query(`ALTER TABLE ${NOTIFICATIONS} DROP COLUMN ${COLUMN}`);
    for (const table of ['announcement_reaches', 'announcement_recalls', 'announcements'])
      await runner.dropTable(table, true);
  }
}

async function createTables(runner: QueryRunner): Promise<void> {
  await createTable(runner, 'announcements', {
    columns: [
      generatedId(),
      bigint('broadcast_seq', nullable),
      varchar('role', 16, nullable),
      varchar('type', 50),
      varchar('title', 100),
      varchar('content', 2000),
      text('data', nullable),
      varchar('dedupe_key', 100, nullable),
      varchar('sender_type', 8, nullable),
      bigint('sender_id', nullable),
      varchar('sender_name', 100, nullable),
      bigint('recipients'),
      moment('created_at'),
      moment('recalled_at', nullable),
    ],
    indices: [{ name: 'uq_announcements_broadcast', columns: ['broadcast_seq'], unique: true }],
  });
  await createTable(runner, 'announcement_recalls', {
    columns: [bigint('announcement_id', primary), moment('claimed_until')],
  });
  await createTable(runner, 'announcement_reaches', {
    columns: [
      bigint('announcement_id', primary),
      bigint('delivered'),
      bigint('read_count'),
      moment('counted_at', nullable),
      moment('claimed_until'),
    ],
  });
}

/** Copies broadcasts under their ids, which inboxes refer to. The recipients are all users who existed at that time. */
async function copyBroadcasts(runner: QueryRunner): Promise<void> {
  await runner.query(
    `INSERT INTO announcements (id, broadcast_seq, type, title, content, data, dedupe_key, recipients, created_at)
     SELECT b.id, b.id, b.type, b.title, b.content, b.data, b.dedupe_key,
       (SELECT COUNT(*) FROM users u WHERE u.created_at <= b.created_at), b.created_at
     FROM ${BROADCASTS} b WHERE NOT EXISTS (SELECT 1 FROM announcements a WHERE a.id = b.id)`,
  );
  await runner.query(
    `INSERT INTO announcement_reaches (announcement_id, delivered, read_count, claimed_until)
     SELECT a.id, 0, 0, '${LONG_AGO}' FROM announcements a
     WHERE NOT EXISTS (SELECT 1 FROM announcement_reaches r WHERE r.announcement_id = a.id)`,
  );
}

/** Sets the announcement of notifications: they have the text of their broadcast, and its time to the millisecond. */
async function nameAnnouncements(runner: QueryRunner): Promise<void> {
  if (!(await hasIndex(runner, 'announcements', BY_TIME))) await runner.createIndex('announcements', BY_TIME);
  const [{ last } = { last: 0 }] = (await runner.query(`SELECT MAX(id) AS last FROM ${NOTIFICATIONS}`)) as {
    last: string | number | null;
  }[];
  for (let from = 0; from <= Number(last ?? 0); from += CHUNK) {
    await runner.query(
      `UPDATE ${NOTIFICATIONS} SET ${COLUMN} = (SELECT MIN(a.id) FROM announcements a
         WHERE a.created_at = ${NOTIFICATIONS}.created_at AND a.type = ${NOTIFICATIONS}.type
           AND a.title = ${NOTIFICATIONS}.title AND a.content = ${NOTIFICATIONS}.content)
       WHERE id >= ? AND id < ? AND created_at IN (SELECT created_at FROM announcements)`,
      [from, from + CHUNK],
    );
  }
  await runner.dropIndex('announcements', BY_TIME);
}
