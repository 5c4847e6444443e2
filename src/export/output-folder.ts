/** The folder that a build fills: made beside its place, and put there when it is whole. */
import { randomBytes } from 'node:crypto'
import { existsSync, rmSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rename, rm, rmdir } from 'node:fs/promises'
import { basename, dirname, join, relative, sep } from 'node:path'

/** The output folder cannot be written without losing something. The message is for whoever named the folder. */
export class OutputFolderError extends Error {
  override name = 'OutputFolderError'
}

export interface OutputFolder {
  /** Empty; to be filled. */
  readonly folder: string
  /** Puts what was made in the place of an earlier build, which is gone then. */
  replace(): Promise<void>
  /** Leaves an earlier build where it is, unless it was replaced. */
  [Symbol.asyncDispose](): Promise<void>
}

/** `out` and `source` are absolute. Rejects with OutputFolderError before anything is made. */
export async function openOutputFolder(out: string, source: string): Promise<OutputFolder> {
  await checkOutput(out, source)
  await tryOutput(out)
  const beside = join(dirname(out), `.${basename(out)}.${randomBytes(4).toString('hex')}`)
  const made = `${beside}.new`
  const old = `${beside}.old`
  await mkdir(made)
  return {
    folder: made,
    replace: async () => {
      if (existsSync(out)) await rename(out, old)
      await rename(made, out)
      // Before anybody looks at the new one: files of both change when they lose a name.
      // Without threads, which cost more than the removing.
      rmSync(old, { recursive: true, force: true })
    },
    [Symbol.asyncDispose]: async () => {
      await rm(made, { recursive: true, force: true })
      await rm(old, { recursive: true, force: true })
    },
  }
}

async function checkOutput(out: string, folder: string): Promise<void> {
  const below = relative(out, folder)
  if (below !== '..' && !below.startsWith(`..${sep}`)) {
    throw new OutputFolderError(`${out} holds the site itself; name another folder for the pages.`)
  }
  const entries = await readdir(out).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    if (error.code === 'ENOTDIR')
      throw new OutputFolderError(`${out} is a file; name a folder for the pages.`)
    throw error
  })
  if (entries.length > 0 && !(await isOurs(out))) {
    throw new OutputFolderError(
      `${out} is not empty and was not made by octavo; name an empty folder, or empty this one.`,
    )
  }
}

/** Before the work: what is made beside the folder at the end is made there once, and taken away. */
async function tryOutput(out: string): Promise<void> {
  try {
    await mkdir(dirname(out), { recursive: true })
    await rmdir(await mkdtemp(join(dirname(out), '.octavo-')))
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    throw new OutputFolderError(
      `Nothing can be written in ${dirname(out)} (${code}); name another folder for the pages.`,
      { cause },
    )
  }
}

/** A folder that an earlier build made: its list names Octavo, and our own files are there. */
async function isOurs(out: string): Promise<boolean> {
  try {
    const manifest = JSON.parse(await readFile(join(out, 'manifest.json'), 'utf8')) as { octavo?: unknown }
    return typeof manifest.octavo === 'string' && existsSync(join(out, '_octavo'))
  } catch {
    return false
  }
}
