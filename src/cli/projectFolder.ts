import { join } from 'node:path';

/** The checkout that this program was compiled in. */
export const projectFolder = join(__dirname, '..', '..');
