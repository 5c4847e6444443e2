/** The dashboard's files, which `npm run build` makes. */
import { existsSync } from 'node:fs'
import { builtFile } from '../base/files/program-files.ts'

export async function dashboardFolder(): Promise<string> {
  const folder = builtFile('dashboard')
  if (!existsSync(folder)) throw new Error(`${folder} is not there: call npm run build`)
  return folder
}
