/** The files below a folder as the file system tells them apart. Moving the folder changes nothing of it. */
import { type BigIntStats, type Dirent, readdirSync, statSync } from 'node:fs'
import { sha256 } from './hash.ts'

/** By path. What is no file has a stamp that says so. */
export type FileStamps = ReadonlyMap<string, string>

/** None where there is no folder. Without threads: to hand a file over to one costs ten times what looking at it does. */
export function stampsBelow(root: string, counts: (name: string) => boolean = () => true): FileStamps {
  const stamps = new Map<string, string>()
  const look = (folder: string, path: string) => {
    for (const entry of entriesOf(folder)) {
      if (!counts(entry.name)) continue
      const place = `${folder}/${entry.name}`
      const below = path === '' ? entry.name : `${path}/${entry.name}`
      if (entry.isDirectory()) look(place, below)
      else stamps.set(below, entry.isFile() ? stampAt(place) : NO_FILE)
    }
  }
  look(root, '')
  return stamps
}

const NO_FILE = 'no file'

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    return []
  }
}

export function stampAt(place: string): string {
  const about = statSync(place, { bigint: true, throwIfNoEntry: false })
  return about ? stampOf(about) : NO_FILE
}

/** What the file system says about a file; nanoseconds. */
export type AboutFile = Pick<BigIntStats, 'size' | 'mtimeNs' | 'ino' | 'ctimeNs'>

export function stampOf({ size, mtimeNs, ino, ctimeNs }: AboutFile): string {
  return `${size} ${mtimeNs} ${ino} ${ctimeNs}`
}

/** Whether it is the same file with the same bytes: another name, or another folder, changes only the last number. */
export function isSameFile(one: string | undefined, other: string | undefined): boolean {
  return one !== undefined && other !== undefined && withoutNames(one) === withoutNames(other)
}

function withoutNames(stamp: string): string {
  return stamp.slice(0, stamp.lastIndexOf(' '))
}

export function digestOfStamps(stamps: FileStamps): string {
  return sha256(
    [...stamps]
      .map(([path, stamp]) => `${path} ${stamp}`)
      .sort()
      .join('\n'),
  )
}
