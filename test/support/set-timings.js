const { join } = require('node:path');

/*
 * Required before the built service (test/support/timings.ts): changes time limits that are not configurable.
 * `TEST_TIMINGS`: JSON of the changed ones.
 */

const { TIMINGS } = require(join(__dirname, '../../dist/src/common/timings.js'));

Object.assign(TIMINGS, JSON.parse(process.env.TEST_TIMINGS));
