/** Reads information about the result of `npm run build`. */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { builtFile, IS_BUILT, programFile } from '../../base/files/program-files.ts'

export interface BuildFacts {
  /** Digest of everything that affects the body of a page. */
  renderer: string
}

export const FACTS_FILE = 'build.json'

let facts: BuildFacts | null | undefined

export function readBuildFacts(): BuildFacts | null {
  facts ??= read()
  return facts
}

function read(): BuildFacts | null {
  try {
    return JSON.parse(readFileSync(builtFile(FACTS_FILE), 'utf8')) as BuildFacts
  } catch {
    return null
  }
}

/** Sources of the bundles, excluding packages. Render processes may read them. */
const SOURCES = ['src', 'web']

let isCurrent: boolean | undefined

/** Returns whether the bundles are newer than all sources. */
export function isBuildCurrent(): boolean {
  isCurrent ??= IS_BUILT || !SOURCES.map(programFile).some((file) => isNewer(file, getBuildTime()))
  return isCurrent
}

function getBuildTime(): number {
  return statSync(builtFile(FACTS_FILE), { throwIfNoEntry: false })?.mtimeMs ?? 0
}

function isNewer(file: string, time: number): boolean {
  const stats = statSync(file, { throwIfNoEntry: false })
  if (stats === undefined) return false
  if (stats.mtimeMs > time) return true
  if (!stats.isDirectory()) return false
  const names = readdirSync(file).filter((name) => !/\.test\.[jt]sx?$/.test(name) && name !== 'node_modules')
  return names.some((name) => isNewer(join(file, name), time))
}
