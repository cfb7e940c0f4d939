import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { RequestMethod } from '@nestjs/common';
import { ModulesContainer, Reflector } from '@nestjs/core';
import { AuditedRoute } from '../../../src/audit/recording/audit.guard';
import type { TestApp } from '../test-app';

/** A row of the audit log, without its id and time. */
export interface AuditRow {
  actor_type: string;
  actor_id: number | null;
  actor_name: string | null;
  ip: string | null;
  request_id: string | null;
  action: string;
  object_type: string;
  object_id: string | null;
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
}

interface RawRow extends Omit<AuditRow, 'before' | 'after' | 'actor_id'> {
  actor_id: string | number | null;
  fields_before: string | null;
  fields_after: string | null;
}

const parsed = (json: string | null) => json && (JSON.parse(json) as Record<string, unknown>);

/** Returns the rows of the audit log from the database, oldest first; only those of `action` if given. */
export async function auditRows(test: Pick<TestApp, 'query'>, action?: string): Promise<AuditRow[]> {
  const rows = (await test.query('SELECT * FROM audit_log ORDER BY id')) as RawRow[];
  return rows
    .map(({ actor_type, actor_id, actor_name, ip, request_id, object_type, object_id, ...row }) => ({
      actor_type,
      actor_id: actor_id === null ? null : Number(actor_id),
      actor_name,
      ip,
      request_id,
      action: row.action,
      object_type,
      object_id,
      before: parsed(row.fields_before) || null,
      after: parsed(row.fields_after) || null,
    }))
    .filter((row) => action === undefined || row.action === action);
}

const METHODS: Partial<Record<RequestMethod, string>> = {
  [RequestMethod.POST]: 'POST',
  [RequestMethod.PUT]: 'PUT',
  [RequestMethod.DELETE]: 'DELETE',
  [RequestMethod.PATCH]: 'PATCH',
};

/**
 * Returns the arguments of `@Audited` of each route that has it, by route name as in `routesOf`: `PUT
 * /api/admin/keys/:id`.
 */
export function auditedRoutes(
  app: NestFastifyApplication,
): Map<string, { action: string; apiKeysOnly: boolean }> {
  const reflector = app.get(Reflector);
  const found = new Map<string, { action: string; apiKeysOnly: boolean }>();
  for (const module of app.get(ModulesContainer).values())
    for (const { metatype } of module.controllers.values()) {
      if (metatype === null) continue;
      const prototype = metatype.prototype as Record<string, (...sent: unknown[]) => unknown>;
      for (const name of Object.getOwnPropertyNames(prototype)) {
        const handler = prototype[name];
        const audit = handler && reflector.get(AuditedRoute, handler);
        if (!handler || audit === undefined) continue;
        const method = METHODS[Reflect.getMetadata('method', handler) as RequestMethod] ?? 'GET';
        const path = [Reflect.getMetadata('path', metatype), Reflect.getMetadata('path', handler)]
          .map(String)
          .filter((part) => part !== '/')
          .join('/');
        found.set(`${method} /${path}`, audit);
      }
    }
  return found;
}
