/** Where this node takes the dashboard's files from: built in, or built once for these sources. */
import { access, constants } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { ensureDashboard } from './dashboard-build.ts'
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
  return ensureDashboard({ cacheFolder })
}
