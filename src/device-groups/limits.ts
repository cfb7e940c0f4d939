/** Longest name of a group or a device, in characters (specification 8, contract 4). */
export const NAME_LENGTH = 100;
/** Longest description of a group, in characters (specification 8). */
export const DESCRIPTION_LENGTH = 500;
/** Longest serial number of a device, in characters (contract 4). */
export const SERIAL_NO_LENGTH = 64;
/** Longest `version` that a device tells of itself, in characters (contract 14.4). */
export const VERSION_LENGTH = 50;
/** How many devices, or lines of a file, one request may tell of (contract 14.4). */
export const DEVICES_AT_ONCE = 500;
export const LINES_AT_ONCE = 10_000;
/** How many levels the tree of groups may have (contract 4). */
export const MAX_DEPTH = 10;
/** By how much folding for a search can lengthen a text at most: one character becomes up to three. */
export const SEARCH_GROWTH = 3;

/** `status` of a group or a device: 1 enabled, 0 disabled (contract 4). */
export const ENABLED = 1;
export const STATUSES = [0, ENABLED] as const;
