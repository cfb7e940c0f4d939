import { Callboard } from '@callboard/client';

/** Client of the service that serves this page. */
export const callboard = new Callboard();
