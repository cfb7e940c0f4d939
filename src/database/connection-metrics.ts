import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Metrics } from '../common/metrics';
import { ConnectionMutex } from './connection-mutex';

/** Private state of a mysql2 pool, which has no public API for these numbers. */
interface PoolState {
  _allConnections: { length: number };
  _freeConnections: { length: number };
  _connectionQueue: { length: number };
}

/** Publishes the usage of the database connections on `/metrics`: of the MySQL pool, or of SQLite's one. */
@Injectable()
export class ConnectionMetrics {
  constructor(metrics: Metrics, dataSource: DataSource, mutex: ConnectionMutex) {
    const gauge = (name: string, help: string, field: keyof ReturnType<typeof usageOf>): void =>
      metrics.gauge(name, help, () => usageOf(dataSource, mutex)[field], 'sum');
    gauge('callboard_database_connections_used', 'Database connections in use', 'used');
    gauge('callboard_database_connections_idle', 'Idle database connections', 'idle');
    gauge('callboard_database_waiting', 'Callers that wait for a database connection', 'waiting');
  }
}

/** Returns the number of connections to the database, and of callers that wait for one. */
function usageOf({ driver }: DataSource, mutex: ConnectionMutex) {
  const { pool } = driver as { pool?: PoolState };
  if (pool === undefined) {
    return { used: mutex.used, idle: 1 - mutex.used, waiting: mutex.waiting };
  }
  const idle = pool._freeConnections.length;
  const waiting = pool._connectionQueue.length + mutex.waiting;
  return { used: pool._allConnections.length - idle, idle, waiting };
}
