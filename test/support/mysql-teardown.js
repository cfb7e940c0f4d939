const { rmSync } = require('node:fs');

module.exports = async () => {
  rmSync(globalThis.schemaFolder, { recursive: true, force: true });
  await globalThis.mariadb?.stop();
};
