/**
 * What a clone has made of its own sources, for its next process: below node_modules, in a folder that is named by all
 * that it is made of. What cannot be kept is made again.
 */
import { randomBytes } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { sha256 } from '../../base/hash.ts'
import { programDigest } from './program-digest.ts'

const MODULES = fileURLToPath(new URL('../../../node_modules', import.meta.url))
const FOLDER = join(MODULES, '.cache', 'octavo-bundles')
const SEAL_LENGTH = 64
/** Of another state of the sources: a process that still runs on it makes what it misses. */
const FORGOTTEN_AFTER_MS = 24 * 3_600_000

/** `name` is a file name. */
export async function keptOrMade(name: string, make: () => Promise<string>): Promise<string> {
  const folder = join(FOLDER, programDigest().slice(0, 32))
  const place = join(folder, name)
  const known = readText(place)
  if (known !== null) return known
  const text = await make()
  keep(folder, place, text)
  return text
}

/** Null for what a machine that lost its power has left, too. */
function readText(place: string): string | null {
  try {
    const kept = readFileSync(place, 'utf8')
    const text = kept.slice(SEAL_LENGTH)
    return kept.startsWith(sha256(text)) ? text : null
  } catch {
    return null
  }
}

/** Whole or not at all. */
function keep(folder: string, place: string, text: string): void {
  try {
    if (!existsSync(folder)) {
      if (!existsSync(MODULES)) return
      forgetOthers()
      mkdirSync(folder, { recursive: true })
    }
    const part = `${place}.${randomBytes(4).toString('hex')}.part`
    writeFileSync(part, sha256(text) + text)
    renameSync(part, place)
  } catch {
    // read-only, or full
  }
}

function forgetOthers(): void {
  if (!existsSync(FOLDER)) return
  const before = Date.now() - FORGOTTEN_AFTER_MS
  for (const name of readdirSync(FOLDER)) {
    const place = join(FOLDER, name)
    if (statSync(place).mtimeMs < before) rmSync(place, { recursive: true, force: true })
  }
}
