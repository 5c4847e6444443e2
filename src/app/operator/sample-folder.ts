/** Folder of Octavo's documentation, the content of the sample site. */
import { programFile } from '../../base/files/program-files.ts'

export const SAMPLE_FOLDER = programFile('docs')
