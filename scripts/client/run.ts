import { parseArgs } from 'node:util';
import { generateClient } from './generate';

const USAGE = `npm run client:generate -- [--into FOLDER]

Regenerates the generated part of the client (types, operations and errors) from the built service.
--into: output folder, which is emptied first; default packages/client/src/generated.`;

const { values } = parseArgs({
  options: { into: { type: 'string', default: 'packages/client/src/generated' }, help: { type: 'boolean' } },
});
if (values.help) console.log(USAGE);
else void generateClient(values.into);
