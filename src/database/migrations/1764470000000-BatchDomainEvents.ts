import { type MigrationInterface, type QueryRunner, TableIndex } from 'typeorm';
import { bigint, createTable, generatedId, hasIndex, mediumtext, moment, nullable, varchar } from './schema';

const TABLE = 'domain_events';
/** Keeps the rows of the other format until they are copied. */
const OTHER = 'domain_events_copied';
const INDEX = 'ix_domain_events_position';
/** The domain events of a row `r`, by SQL that only one database has. */
const EVENTS = {
  sqlite: {
    from: 'json_each(r.events) e',
    columns: ['eventId', 'type', 'subject', 'payload', 'traceparent'].map(
      (name) => `json_extract(e.value, '$.${name}')`,
    ),
    place: 'e.key',
  },
  mysql: {
    from: `JSON_TABLE(r.events, '$[*]' COLUMNS (place FOR ORDINALITY, event_id varchar(40) PATH '$.eventId',
      type varchar(50) PATH '$.type', subject varchar(100) PATH '$.subject', payload mediumtext PATH '$.payload',
      traceparent varchar(55) PATH '$.traceparent')) e`,
    columns: ['e.event_id', 'e.type', 'e.subject', 'e.payload', 'e.traceparent'],
    place: 'e.place',
  },
};

/** Stores the domain events of a transaction in one row, as a JSON array, instead of a row each. */
export class BatchDomainEvents1764470000000 implements MigrationInterface {
  readonly name = 'BatchDomainEvents1764470000000';

  /** May run again after an interruption: MySQL commits each statement by itself. */
  async up(runner: QueryRunner): Promise<void> {
    if (await runner.hasColumn(TABLE, 'payload')) await setAside(runner);
    await createTable(runner, TABLE, {
      columns: [
        generatedId(),
        bigint('position', nullable),
        mediumtext('events'),
        moment('created_at'),
        varchar('consumer', 40, nullable),
      ],
      indices: [{ name: INDEX, columns: ['position'] }],
    });
    if (!(await runner.hasTable(OTHER))) return;
    const at = isSqlite(runner)
      ? "strftime('%Y-%m-%dT%H:%M:%fZ', created_at)"
      : "DATE_FORMAT(created_at, '%Y-%m-%dT%H:%i:%s.%fZ')";
    const event = `'eventId', event_id, 'type', type, 'subject', subject, 'payload', payload,
      'traceparent', traceparent, 'at', ${at}`;
    await runner.query(
      `INSERT INTO ${TABLE} (id, position, events, created_at, consumer)
       SELECT id, position, JSON_ARRAY(JSON_OBJECT(${event})), created_at, consumer FROM ${OTHER}
       WHERE id > (SELECT COALESCE(MAX(id), 0) FROM ${TABLE})`,
    );
    await runner.dropTable(OTHER);
  }

  /** Keeps the domain events that a consumer has not handled; they are dispatched to all consumers again. */
  async down(runner: QueryRunner): Promise<void> {
    if (await runner.hasColumn(TABLE, 'events')) await setAside(runner);
    await createTable(runner, TABLE, {
      columns: [
        generatedId(),
        bigint('position', nullable),
        varchar('event_id', 40),
        varchar('type', 50),
        varchar('subject', 100),
        mediumtext('payload'),
        varchar('traceparent', 55, nullable),
        moment('created_at'),
        varchar('consumer', 40, nullable),
      ],
      indices: [{ name: INDEX, columns: ['position'] }],
    });
    if (!(await runner.hasTable(OTHER))) return;
    await runner.query(`DELETE FROM ${TABLE}`);
    const { from, columns, place } = EVENTS[isSqlite(runner) ? 'sqlite' : 'mysql'];
    await runner.query(
      `INSERT INTO ${TABLE} (event_id, type, subject, payload, traceparent, created_at, consumer)
       SELECT ${columns.join(', ')}, r.created_at, r.consumer FROM ${OTHER} r, ${from}
       WHERE r.position IS NULL OR r.position > (SELECT MIN(position) FROM domain_event_positions)
       ORDER BY r.id, ${place}`,
    );
    await runner.dropTable(OTHER);
  }
}

const isSqlite = ({ dataSource }: QueryRunner): boolean => dataSource.options.type === 'better-sqlite3';

async function setAside(runner: QueryRunner): Promise<void> {
  const index = new TableIndex({ name: INDEX, columnNames: ['position'] });
  if (await hasIndex(runner, TABLE, index)) await runner.dropIndex(TABLE, index);
  await runner.renameTable(TABLE, OTHER);
}
