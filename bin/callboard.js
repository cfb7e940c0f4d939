#!/usr/bin/env node
require('../dist/scripts/callboard.js');
