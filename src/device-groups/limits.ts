/** Maximum length of the name of a group or a device, in characters (API 11.1). */
export const NAME_LENGTH = 100;
/** Maximum length of the description of a group, in characters (API 11.1). */
export const DESCRIPTION_LENGTH = 500;
/** Maximum length of the serial number of a device, in characters (API 12.1). */
export const SERIAL_NO_LENGTH = 64;
/** Maximum length of the `version` that a device reports, in characters (API 12.4). */
export const VERSION_LENGTH = 50;
/** Maximum number of devices in a request (API 12.5). */
export const MAX_DEVICES_PER_REQUEST = 500;
/** Maximum number of lines in an imported file, without the header (API 12.6). */
export const MAX_LINES_PER_REQUEST = 10_000;
/** Maximum number of levels of the group tree (API 11.3). */
export const MAX_DEPTH = 10;
/** Case folding for a search can lengthen a text by this factor: one character becomes up to three. */
export const SEARCH_GROWTH = 3;

/** `status` of a group or a device: 1 enabled, 0 disabled (API 11.1). */
export const ENABLED = 1;
export const DEVICE_STATUSES = [0, ENABLED] as const;
