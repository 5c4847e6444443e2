/** What this program is: its own files and the packages that it runs on, as the file system tells them apart. */
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { digestOfStamps, stampAt, stampsBelow } from '../../base/file-stamps.ts'
import { sha256 } from '../../base/hash.ts'
import { compactFile } from './compact-file.ts'

let program: string | null = null

/** Good on this machine alone; looked at once a process. */
export function programDigest(): string {
  if (program !== null) return program
  const root = fileURLToPath(new URL('../../..', import.meta.url))
  const isOwn = (name: string) => !/\.test\.[jt]sx?$/.test(name) && name !== 'node_modules'
  const folders = [fileURLToPath(new URL('../..', import.meta.url)), join(root, 'web')]
  const files = [
    join(root, 'package.json'),
    join(root, 'node_modules/.package-lock.json'),
    fileURLToPath(compactFile('versions.json')),
  ]
  const parts = folders.map((folder) => digestOfStamps(stampsBelow(folder, isOwn)))
  program = sha256([process.version, ...parts, ...files.map(stampAt)].join('\n'))
  return program
}
