/** Files of the dashboard, which `npm run build` creates. */
import { existsSync } from 'node:fs'
import { builtFile } from '../base/files/program-files.ts'

export async function dashboardFolder(): Promise<string> {
  const folder = builtFile('dashboard')
  if (!existsSync(folder)) throw new Error(`${folder} does not exist. Run npm run build.`)
  return folder
}
