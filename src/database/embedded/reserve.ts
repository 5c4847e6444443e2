/**
 * Room that is kept for PostgreSQL alone. On a full disk it goes on while its write-ahead log needs no new file; then it
 * ends, and cannot start again without one, which would take reading away too. A file of ours is deleted for it then, and
 * made again once there is room.
 */
import { createWriteStream } from 'node:fs'
import { rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { readFreeBytes } from '../../base/files/disk-space.ts'
import type { ServerFolders } from './folders.ts'

/** Two files of the log: one to recover with, one to go on with. */
const RESERVE_BYTES = 32 << 20
/** So much more must be free before it is taken. */
const PLENTY_BYTES = 128 << 20
const CHUNK_BYTES = 1 << 20

/** Does nothing where it is already, or where there is too little room for it. Rejects when it cannot be written. */
export async function keepReserve({ root }: ServerFolders): Promise<void> {
  const isThere = await stat(placeIn(root)).then(
    () => true,
    () => false,
  )
  if (isThere || ((await readFreeBytes(root)) ?? 0) < RESERVE_BYTES + PLENTY_BYTES) return
  const fresh = `${placeIn(root)}.new-${process.pid}`
  // A file of zeros takes no room on some file systems.
  const chunk = crypto.getRandomValues(new Uint8Array(65_536))
  const chunks = Array.from({ length: RESERVE_BYTES / CHUNK_BYTES }, () => Buffer.alloc(CHUNK_BYTES, chunk))
  try {
    await pipeline(Readable.from(chunks), createWriteStream(fresh, { mode: 0o600 }))
    await rename(fresh, placeIn(root))
  } finally {
    await rm(fresh, { force: true })
  }
}

/** True when the disk had no room for a start and has some now. */
export async function releaseReserve({ root }: ServerFolders): Promise<boolean> {
  if (((await readFreeBytes(root)) ?? RESERVE_BYTES) >= RESERVE_BYTES) return false
  return rm(placeIn(root)).then(
    () => true,
    () => false,
  )
}

function placeIn(root: string): string {
  return join(root, 'reserve')
}
