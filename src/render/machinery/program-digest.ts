/** What this program is: its own files and the packages that it runs on. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { digestOfStamps, type FileStamps, stampsBelow } from '../../base/file-stamps.ts'
import { sha256, sha256Of } from '../../base/hash.ts'
import { IS_BUILT, programFile } from '../../base/program-files.ts'
import { buildFacts } from './build-facts.ts'

let program: string | null = null
let content: string | null = null

/** Quickly told, and good on this machine until the program is installed or built anew. */
export function programDigest(): string {
  program ??= IS_BUILT ? programContent() : sourcesDigest()
  return program
}

/** By the bytes of its files: the same after it was installed anew. */
export function programContent(): string {
  content ??= sha256Of(process.version, (IS_BUILT ? buildFacts()?.content : null) ?? sourcesContent())
  return content
}

/** The sources as the file system tells them apart. */
export function sourcesDigest(): string {
  return sha256Of(process.version, ...packages(), ...ownFiles().map(({ stamps }) => digestOfStamps(stamps)))
}

export function sourcesContent(): string {
  return sha256Of(...packages(), ...ownFiles().flatMap(({ folder, stamps }) => contentsOf(folder, stamps)))
}

function ownFiles(): { folder: string; stamps: FileStamps }[] {
  const isOwn = (name: string) => !/\.test\.[jt]sx?$/.test(name) && name !== 'node_modules'
  return ['src', 'web'].map(programFile).map((folder) => ({ folder, stamps: stampsBelow(folder, isOwn) }))
}

function contentsOf(folder: string, stamps: FileStamps): string[] {
  return [...stamps.keys()].sort().flatMap((path) => [path, sha256(bytesOf(join(folder, path)))])
}

function packages(): Uint8Array[] {
  return ['package.json', 'package-lock.json'].map((file) => bytesOf(programFile(file)))
}

/** None of what is not there. */
function bytesOf(place: string): Uint8Array {
  try {
    return readFileSync(place)
  } catch {
    return new Uint8Array()
  }
}
