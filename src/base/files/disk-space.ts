/** Free space on the disk of a folder. */
import { statfs } from 'node:fs/promises'
import { cacheResultFor } from '../async-cache.ts'

/** Minimum free space for reliable writes; PostgreSQL alone allocates 16 MB at a time. */
const MIN_FREE_BYTES = 64 << 20
/** Cache time, because every writing request checks the free space. */
const CACHE_MS = 1000

export interface DiskSpace {
  /** Returns null if the folder cannot be read. */
  freeBytes(): Promise<number | null>
  /** Returns whether the remaining space is reserved for running work and deletions. */
  isShort(): Promise<boolean>
}

export function createDiskSpace(folder: string): DiskSpace {
  const freeBytes = cacheResultFor(CACHE_MS, () => readFreeBytes(folder))
  return {
    freeBytes,
    async isShort() {
      const free = await freeBytes()
      return free !== null && free < MIN_FREE_BYTES
    },
  }
}

export async function readFreeBytes(folder: string): Promise<number | null> {
  const disk = await statfs(folder).catch(() => null)
  return disk === null ? null : disk.bavail * disk.bsize
}
