/** The folder that an import writes into: nothing leaves it, whatever names and links it holds. */
import { randomUUID } from 'node:crypto'
import { lstat, mkdir, readdir, realpath, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join, sep } from 'node:path'
import { ImportError } from './imported-site.ts'

export interface OutputFolder {
  /** `path` is below the folder, with `/`. Throws ImportError. */
  write(path: string, content: string | Uint8Array): Promise<void>
  /** Files written. */
  count(): number
  [Symbol.asyncDispose](): Promise<void>
}

/** Throws ImportError for a folder that cannot be made, or holds anything while nothing may be written over. */
export async function openOutput(folder: string, isForced: boolean): Promise<OutputFolder> {
  const root = await makeFolder(folder)
  const present = await readdir(root)
  if (present.length > 0 && !isForced) {
    throw new ImportError(
      `${folder} is not empty: name another folder with --out, or write over its files with --force (others stay).`,
    )
  }
  /** Folders that are known to be real ones, inside. */
  const known = new Set([root])
  /** The name by which each file is known where letters of both sizes are the same. */
  const written = new Set<string>()
  return {
    async write(path, content) {
      const place = join(root, ...path.split('/'))
      if (!place.startsWith(`${root}${sep}`))
        throw new ImportError(`The file ${path} would lie outside of ${folder}.`)
      const parent = dirname(place)
      await makeInside(root, parent, known)
      const partial = join(parent, `.${randomUUID()}.partial`)
      try {
        await writeFile(partial, content, { flag: 'wx' })
        await rename(partial, place)
        written.add(place)
      } catch (cause) {
        throw new ImportError(
          `${place} cannot be written (${codeOf(cause)}): name another folder with --out.`,
          { cause },
        )
      } finally {
        await rm(partial, { force: true })
      }
    },
    count: () => written.size,
    async [Symbol.asyncDispose]() {
      // A folder that was made in vain does not stand in the way of the next try.
      if (present.length === 0 && written.size === 0) await rm(root, { recursive: true, force: true })
    },
  }
}

async function makeFolder(folder: string): Promise<string> {
  try {
    await mkdir(folder, { recursive: true })
    return await realpath(folder)
  } catch (cause) {
    const code = codeOf(cause)
    const why = code === 'EEXIST' || code === 'ENOTDIR' ? 'a file is in the way' : code
    throw new ImportError(`The folder ${folder} cannot be made (${why}): name another one with --out.`, {
      cause,
    })
  }
}

/** A link of an earlier time leads nowhere: what stands on the way must be folders. */
async function makeInside(root: string, parent: string, known: Set<string>): Promise<void> {
  if (known.has(parent)) return
  await makeInside(root, dirname(parent), known)
  const found = await lstat(parent).catch(() => null)
  if (found && !found.isDirectory()) {
    throw new ImportError(
      `${parent} is no folder but should be one: remove it, or name another folder with --out.`,
    )
  }
  if (!found) await mkdir(parent)
  known.add(parent)
}

function codeOf(cause: unknown): string {
  return (cause as NodeJS.ErrnoException).code ?? 'unknown error'
}
