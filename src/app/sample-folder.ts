/** Octavo's own documentation, which the sample site is made of. */
import { fileURLToPath } from 'node:url'

export const SAMPLE_FOLDER = fileURLToPath(new URL('../../docs', import.meta.url))
