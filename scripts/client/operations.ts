import { type ApiDocument, isEnveloped, type Operation } from './document';

/** An operation as a method of the client: `calls.accept`. */
interface Method {
  group: string;
  name: string;
  route: string;
  operation: Operation;
}

const HEADING = '// Made by `npm run client:generate` from the OpenAPI document: do not edit.\n';

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
const pascal = (text: string): string => text.split(' ').map(capital).join('');

/** `Device groups` → `deviceGroups`. */
function groupOf({ tags: [tag = ''] }: Operation): string {
  const name = pascal(tag);
  return name.charAt(0).toLowerCase() + name.slice(1);
}

/** Returns the operation id without the group's name: `getCallDetails` of Calls → `getDetails`. */
function shortName({ operationId, tags: [tag = ''] }: Operation): string {
  const plural = pascal(tag);
  const singular = plural.replace(/s$/, '');
  return operationId.replace(new RegExp(`(?<=[a-z])(?:${plural}|${singular})(?![a-z])`), '');
}

/** Returns every enveloped operation, in document order, with a name that is unique within its group. */
function methodsOf(document: ApiDocument): Method[] {
  const methods = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([, operation]) => isEnveloped(path, operation))
      .map(([method, operation]): Method => ({
        group: groupOf(operation),
        name: shortName(operation),
        route: `${method.toUpperCase()} ${path}${flagsOf(operation)}`,
        operation,
      })),
  );
  const known = new Map(methods.map((one) => [`${one.group}.${one.name}`, [] as Method[]]));
  for (const one of methods) known.get(`${one.group}.${one.name}`)?.push(one);
  return methods.map((one) => {
    const rivals = known.get(`${one.group}.${one.name}`) ?? [];
    return rivals.length < 2 ? one : { ...one, name: nameAmong(rivals, one) };
  });
}

/**
 * Resolves a name clash: `changeUser` becomes `change` and `changeUsers` `changeMany`. Any other name stays the
 * operation id.
 */
function nameAmong(
  rivals: Method[],
  {
    name,
    operation: {
      operationId,
      tags: [tag = ''],
    },
  }: Method,
): string {
  const plural = pascal(tag);
  const isPlural = ({ operation }: Method): boolean => operation.operationId.endsWith(plural);
  if (rivals.length > 2 || rivals.filter(isPlural).length !== 1) return operationId;
  return operationId.endsWith(plural) ? `${name}Many` : name;
}

/** Returns the flags that the client needs to send the operation. */
function flagsOf({ parameters = [], security = [], requestBody }: Operation): string {
  const takesKey = parameters.some(({ name }) => name === 'Idempotency-Key');
  const isPublic = security.some((scheme) => Object.keys(scheme).length === 0);
  const takesCsv = requestBody?.content['text/csv'] !== undefined;
  return `${takesKey ? ' key' : ''}${isPublic ? ' public' : ''}${takesCsv ? ' csv' : ''}`;
}

const needsOptions = ({ parameters = [], requestBody }: Operation): boolean =>
  requestBody?.required === true || parameters.some(({ required }) => required === true);

/** Returns the source of `operations.gen.ts`: a table that the client reads at run time, and an interface per group. */
export function renderOperations(document: ApiDocument): string {
  const methods = methodsOf(document);
  const groups = [...Map.groupBy(methods, ({ group }) => group)];
  const types = methods
    .flatMap(({ operation: { operationId } }) => [
      `${capital(operationId)}Data`,
      `${capital(operationId)}Response`,
    ])
    .toSorted();
  const table = groups.map(([group, members]) => {
    const rows = members.map(
      ({ name, operation: { operationId }, route }) => `    ${name}: '${operationId} ${route}',`,
    );
    return `  ${group}: {\n${rows.join('\n')}\n  },`;
  });
  const interfaces = groups.map(([group, members]) => {
    const rows = members.map(({ name, operation }) => {
      const id = capital(operation.operationId);
      const mark = needsOptions(operation) ? '' : '?';
      return `  /** ${operation.summary} */\n  ${name}(options${mark}: Options<${id}Data>): Promise<${id}Response>;`;
    });
    return `export interface ${capital(group)} {\n${rows.join('\n')}\n}\n`;
  });
  return [
    HEADING,
    `import type { Options } from '../http/options.js';`,
    `import type {\n${types.map((type) => `  ${type},`).join('\n')}\n} from './types.gen.js';\n`,
    `/** Each method: operation id, route, and flags: \`key\` (takes an \`Idempotency-Key\`), \`public\` (no token), \`csv\` (CSV body). */`,
    `export const OPERATIONS: Readonly<Record<keyof Operations, Readonly<Record<string, string>>>> = {\n${table.join('\n')}\n};\n`,
    ...interfaces,
    `/** Every operation of the service, grouped by tag. */`,
    `export interface Operations {\n${groups.map(([group]) => `  ${group}: ${capital(group)};`).join('\n')}\n}\n`,
    `export type OperationId =\n${methods.map(({ operation: { operationId } }) => `  | '${operationId}'`).join('\n')};\n`,
  ].join('\n');
}
