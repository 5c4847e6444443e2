/**
 * Disk space reserved for PostgreSQL. On a full disk, PostgreSQL keeps running until its write-ahead log
 * needs a new file. Then it ends, and cannot start again without a new file, so that even reads would fail.
 * In that case the reserve file is deleted, and created again once there is enough space.
 */
import { createWriteStream } from 'node:fs'
import { rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { readFreeBytes } from '../../base/files/disk-space.ts'
import type { ServerFolders } from './folders.ts'

/** Size of two files of the write-ahead log: one for recovery, and one to continue with. */
const RESERVE_BYTES = 32 << 20
const MIN_FREE_BYTES = 128 << 20
const CHUNK_BYTES = 1 << 20

/**
 * Creates the reserve file, unless it exists or the disk has too little space. Rejects when the file cannot be
 * written.
 */
export async function ensureReserve({ root }: ServerFolders): Promise<void> {
  const isThere = await stat(reservePath(root)).then(
    () => true,
    () => false,
  )
  if (isThere || ((await readFreeBytes(root)) ?? 0) < RESERVE_BYTES + MIN_FREE_BYTES) return
  const fresh = `${reservePath(root)}.new-${process.pid}`
  // A file of zeros takes up no space on some file systems.
  const chunk = crypto.getRandomValues(new Uint8Array(65_536))
  const chunks = Array.from({ length: RESERVE_BYTES / CHUNK_BYTES }, () => Buffer.alloc(CHUNK_BYTES, chunk))
  try {
    await pipeline(Readable.from(chunks), createWriteStream(fresh, { mode: 0o600 }))
    await rename(fresh, reservePath(root))
  } finally {
    await rm(fresh, { force: true })
  }
}

/** Deletes the reserve file if the disk has not enough space to start. Returns true if that freed space. */
export async function releaseReserve({ root }: ServerFolders): Promise<boolean> {
  if (((await readFreeBytes(root)) ?? RESERVE_BYTES) >= RESERVE_BYTES) return false
  return rm(reservePath(root)).then(
    () => true,
    () => false,
  )
}

function reservePath(root: string): string {
  return join(root, 'reserve')
}
