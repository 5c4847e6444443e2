/** Octavo's own documentation, which the sample site is made of. */
import { programFile } from '../../base/files/program-files.ts'

export const SAMPLE_FOLDER = programFile('docs')
