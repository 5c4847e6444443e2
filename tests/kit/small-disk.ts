/** A small disk that tests can fill: a tmpfs, which only root on Linux may mount. */
import { execFileSync } from 'node:child_process'
import { mkdtemp, open, rm, rmdir, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface SmallDisk {
  folder: string
  /** Fills the disk to the last byte. */
  fill(): Promise<void>
  /** Frees the filled space. */
  free(): Promise<void>
  freeBytes(): Promise<number>
  [Symbol.asyncDispose](): Promise<void>
}

/** Reason why this machine cannot mount a small disk, for the `skip` option of a test; false if it can. */
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
      // Unmount lazily, because processes that still use the disk are about to end.
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

/** Tries a mount, because root in a container is often not allowed to. */
function mayMount(): boolean {
  try {
    execFileSync('unshare', ['--mount', 'mount', '-t', 'tmpfs', 'octavo-test', '/mnt'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
