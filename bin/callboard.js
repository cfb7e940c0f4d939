#!/usr/bin/env -S node --max-semi-space-size=4
require('../dist/scripts/callboard.js');
