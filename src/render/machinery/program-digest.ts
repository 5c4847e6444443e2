/** What this program is: its own files and the packages that it runs on. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { digestOfStamps, type FileStamps, stampsBelow } from '../../base/file-stamps.ts'
import { sha256, sha256Of } from '../../base/hash.ts'
import { compactFile } from './compact-file.ts'

let program: string | null = null
let content: string | null = null

/** As the file system tells its files apart: good on this machine, until it is installed anew. Looked at once a process. */
export function programDigest(): string {
  program ??= sha256Of(...packages(), ...ownFiles().map(({ stamps }) => digestOfStamps(stamps)))
  return program
}

/** By the bytes of its files, which takes ten times as long: the same after it was installed anew. */
export function programContent(): string {
  content ??= sha256Of(
    ...packages(),
    ...ownFiles().flatMap(({ folder, stamps }) => contentsOf(folder, stamps)),
  )
  return content
}

function ownFiles(): { folder: string; stamps: FileStamps }[] {
  const isOwn = (name: string) => !/\.test\.[jt]sx?$/.test(name) && name !== 'node_modules'
  const folders = [fileURLToPath(new URL('../..', import.meta.url)), join(programRoot(), 'web')]
  return folders.map((folder) => ({ folder, stamps: stampsBelow(folder, isOwn) }))
}

function contentsOf(folder: string, stamps: FileStamps): string[] {
  return [...stamps.keys()].sort().flatMap((path) => [path, sha256(bytesOf(join(folder, path)))])
}

function packages(): (string | Uint8Array)[] {
  const files = [
    join(programRoot(), 'package.json'),
    join(programRoot(), 'node_modules/.package-lock.json'),
    fileURLToPath(compactFile('versions.json')),
  ]
  return [process.version, ...files.map(bytesOf)]
}

function programRoot(): string {
  return fileURLToPath(new URL('../../..', import.meta.url))
}

/** None of what is not there: only a clone has a list of its packages. */
function bytesOf(place: string): Uint8Array {
  try {
    return readFileSync(place)
  } catch {
    return new Uint8Array()
  }
}
