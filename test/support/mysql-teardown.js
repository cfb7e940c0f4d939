module.exports = async () => {
  await globalThis.mariadb?.stop();
};
