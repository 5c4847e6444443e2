/** A disk that can be filled: a file system in memory, which only root of Linux may mount. */
import { execFileSync } from 'node:child_process'
import { mkdtemp, open, rm, rmdir, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface SmallDisk {
  folder: string
  /** Down to the last byte. */
  fill(): Promise<void>
  /** What was filled is free again. */
  free(): Promise<void>
  freeBytes(): Promise<number>
  [Symbol.asyncDispose](): Promise<void>
}

/** Why this machine gives none; false when it does. For the `skip` of a test. */
export const NO_SMALL_DISK: string | false =
  process.platform === 'linux' && process.getuid?.() === 0 && mayMount()
    ? false
    : 'only root of Linux may mount a small disk'

export async function openSmallDisk(megabytes: number): Promise<SmallDisk> {
  const folder = await mkdtemp(join(tmpdir(), 'octavo-disk-'))
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=0755`, 'octavo-test', folder])
  const filler = join(folder, 'filler')
  return {
    folder,
    async fill() {
      await using file = await open(filler, 'a')
      for (let size = 1 << 20; size >= 512; size /= 2)
        await writeUntilFull(() => file.write(Buffer.alloc(size, 1)))
    },
    free: () => rm(filler, { force: true }),
    async freeBytes() {
      const { bavail, bsize } = await statfs(folder)
      return bavail * bsize
    },
    async [Symbol.asyncDispose]() {
      // Lazily: what still runs there is on its way out.
      execFileSync('umount', ['-l', folder])
      await rmdir(folder)
    },
  }
}

async function writeUntilFull(write: () => Promise<unknown>): Promise<void> {
  try {
    for (;;) await write()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
  }
}

/** Root of a container often may not. */
function mayMount(): boolean {
  try {
    execFileSync('unshare', ['--mount', 'mount', '-t', 'tmpfs', 'octavo-test', '/mnt'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
