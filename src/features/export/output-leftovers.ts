/**
 * What a build has beside its output while it runs. One that is killed leaves it there: its names say whose it is, so
 * that the next build to the same place can remove it, and put back what was taken from the place.
 */
import { randomBytes } from 'node:crypto'
import { existsSync, lstatSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { hostname } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { sha256 } from '../../base/hash.ts'
import { isAlive } from '../../base/process-state.ts'

export interface BesideOutput {
  /** What the build makes. */
  made: string
  /** What was in the place. */
  old: string
}

const HOST = sha256(hostname()).slice(0, 8)
/** Tells apart processes that got the same number one after the other. */
const PROCESS_START = Math.round(performance.timeOrigin).toString(36)
/** Of another machine, whose processes cannot be asked about. */
const ABANDONED_AFTER_MS = 24 * 3_600_000
const NAME = /^([0-9a-f]{8})-(\d{1,10})-([0-9a-z]{1,12})-[0-9a-f]{8}(?=\.(?:new|old)$)/

export function placesBeside(out: string): BesideOutput {
  const random = randomBytes(4).toString('hex')
  return placesOf(`${prefixOf(out)}${HOST}-${process.pid}-${PROCESS_START}-${random}`)
}

function prefixOf(out: string): string {
  return join(dirname(out), `.${basename(out)}.`)
}

function placesOf(beside: string): BesideOutput {
  return { made: `${beside}.new`, old: `${beside}.old` }
}

/** What cannot be removed is left: nothing that is to be built depends on it. */
export function settleLeftovers(out: string): void {
  for (const beside of leftoversOf(out)) {
    const { made, old } = placesOf(beside)
    try {
      // The earlier pages were taken from their place when these were whole.
      if (!existsSync(out) && existsSync(old)) renameSync(existsSync(made) ? made : old, out)
      for (const place of [made, old]) rmSync(place, { recursive: true, force: true })
    } catch {
      // read-only, or another build is at it
    }
  }
}

function leftoversOf(out: string): Set<string> {
  const prefix = prefixOf(out)
  const names = namesIn(dirname(out)).filter((name) => name.startsWith(basename(prefix)))
  const found = new Set<string>()
  for (const name of names) {
    const [match, host, pid, start] = NAME.exec(name.slice(basename(prefix).length)) ?? []
    if (match === undefined) continue
    const place = join(dirname(out), name)
    if (host === HOST ? !isRunning(Number(pid), start) : isOld(place)) {
      if (isOwn(place)) found.add(prefix + match)
    }
  }
  return found
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function isRunning(pid: number, start: string | undefined): boolean {
  return pid === process.pid ? start === PROCESS_START : isAlive(pid)
}

function isOld(place: string): boolean {
  const about = lstatSync(place, { throwIfNoEntry: false })
  return about !== undefined && Date.now() - about.mtimeMs > ABANDONED_AFTER_MS
}

/** In a folder that others write to, anybody may use such names. */
function isOwn(place: string): boolean {
  const about = lstatSync(place, { throwIfNoEntry: false })
  return about !== undefined && !about.isSymbolicLink() && about.uid === (process.getuid?.() ?? about.uid)
}
