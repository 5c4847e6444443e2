/** Where this node takes the dashboard's files from: built in, or built once for these sources. */
import { execFile } from 'node:child_process'
import { access, constants } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import type { DataFolder } from './data-folder.ts'

const MODULES = join(dirname(dirname(import.meta.dirname)), 'node_modules')

/** Builds at the first call; later ones have the same answer. */
export function createDashboardFolder(data: DataFolder): () => Promise<string> {
  let building: Promise<string> | null = null
  return () => {
    building ??= build(data).catch((error) => {
      building = null
      throw error
    })
    return building
  }
}

/** Beside the dependencies, where all data folders of one installation share it; else in the data folder. */
async function build(data: DataFolder): Promise<string> {
  const isWritable = await access(MODULES, constants.W_OK).then(
    () => true,
    () => false,
  )
  const cacheFolder = isWritable ? join(MODULES, '.cache', 'octavo-dashboard') : join(data.path, 'dashboard')
  const { ensureDashboard } = await import('./dashboard-build.ts')
  return ensureDashboard({ cacheFolder, build: buildInProcess })
}

/** The builder takes 200 MB, which the server would keep: it has a process of its own. */
async function buildInProcess(outDir: string): Promise<void> {
  const program = `await (await import(process.argv[1])).buildDashboard({ outDir: process.argv[2] })`
  const builder = new URL('./dashboard-build.ts', import.meta.url)
  await promisify(execFile)(process.execPath, [
    '--input-type=module',
    '--eval',
    program,
    builder.href,
    outDir,
  ])
}
