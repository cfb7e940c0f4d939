import { readFileSync } from 'node:fs';
import { AUDIT_ACTIONS, AUDIT_OBJECT_TYPES, objectTypeOf } from '../../src/audit/rules/audit-actions.rules';
import { MAX_ACTION } from '../../src/audit/entities/audit-log.entity';

describe('The actions of the audit log', () => {
  it('equal those in docs/administration.md, each once', () => {
    const documentation = readFileSync('docs/administration.md', 'utf8');
    const [, table = ''] = /^### Audit actions\n(.*?)^## /ms.exec(documentation) ?? [];
    const firstCells = Array.from(table.matchAll(/^\| (`[^|]+) \|/gm), ([, cell = '']) => cell);
    const documented = firstCells.flatMap((cell) =>
      Array.from(cell.matchAll(/`([\w.]+)`/g), ([, action]) => action),
    );
    expect(new Set(documented)).toEqual(new Set(AUDIT_ACTIONS));
    expect(documented).toHaveLength(AUDIT_ACTIONS.length);
  });

  it('start with the type of their object and fit into their column', () => {
    expect(objectTypeOf('device_group.move')).toBe('device_group');
    expect(new Set(AUDIT_ACTIONS.map(objectTypeOf))).toEqual(new Set(AUDIT_OBJECT_TYPES));
    expect(
      AUDIT_ACTIONS.filter((action) => !/^[a-z_]+\.[a-z_]+$/.test(action) || action.length > MAX_ACTION),
    ).toEqual([]);
  });
});
