import { parseArgs } from 'node:util';
import { generateClient } from './generate';

const USAGE = `npm run client:generate -- [--into FOLDER]

Writes the client's generated part anew: types, operations and errors of the service as it is built.
--into: instead of packages/client/src/generated; the folder is emptied first.`;

const { values } = parseArgs({
  options: { into: { type: 'string', default: 'packages/client/src/generated' }, help: { type: 'boolean' } },
});
if (values.help) console.log(USAGE);
else void generateClient(values.into);
