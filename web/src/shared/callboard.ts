import { Callboard } from '@callboard/client';

/** The service that this page comes from. */
export const callboard = new Callboard();
