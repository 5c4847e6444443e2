/** Version of this program, from its package.json. */
import { readFileSync } from 'node:fs'
import { programFile } from '../base/files/program-files.ts'

export const PROGRAM_VERSION: string = JSON.parse(readFileSync(programFile('package.json'), 'utf8')).version
