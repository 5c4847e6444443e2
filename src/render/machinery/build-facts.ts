/** What `npm run build` notes of what it has made, for programs that run from it or beside it. */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { builtFile, IS_BUILT, programFile } from '../../base/files/program-files.ts'

export interface BuildFacts {
  /** Digest of what has a part in the body of a page. */
  renderer: string
}

export const FACTS_FILE = 'build.json'

let facts: BuildFacts | null | undefined

/** Null where nothing is built. */
export function buildFacts(): BuildFacts | null {
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

/** Sources that bundles are made of, beside packages: processes that render a site may read these. */
const SOURCES = ['src', 'web']

let isCurrent: boolean | undefined

/** Whether no source has changed since the bundles were made. */
export function isBuildCurrent(): boolean {
  isCurrent ??= IS_BUILT || !SOURCES.map(programFile).some((place) => isNewer(place, builtAt()))
  return isCurrent
}

function builtAt(): number {
  return statSync(builtFile(FACTS_FILE), { throwIfNoEntry: false })?.mtimeMs ?? 0
}

function isNewer(place: string, time: number): boolean {
  const about = statSync(place, { throwIfNoEntry: false })
  if (about === undefined) return false
  if (about.mtimeMs > time) return true
  if (!about.isDirectory()) return false
  const names = readdirSync(place).filter((name) => !/\.test\.[jt]sx?$/.test(name) && name !== 'node_modules')
  return names.some((name) => isNewer(join(place, name), time))
}
