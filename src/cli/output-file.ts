/** Output file of a command: checked before the work starts, then written atomically through a temporary file. */
import { createWriteStream } from 'node:fs'
import { open, rename, rm, stat } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

export class OutputFileError extends Error {
  override name = 'OutputFileError'
}

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'this user has no write access',
  EPERM: 'the file system does not allow it',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  ENOENT: 'its folder does not exist',
  ENOTDIR: 'a part of the path is a file',
}

/** Checks that a file can be written, before any request is made. Throws OutputFileError. */
export async function checkOutputFile(out: string): Promise<void> {
  const found = await stat(out).catch(() => null)
  if (found?.isDirectory()) throw new OutputFileError(`${out} is a folder. Choose a file with --out.`)
  const partial = partialPath(out)
  try {
    await (await open(partial, 'w')).close()
    await rm(partial)
  } catch (cause) {
    throw outputFileError(out, cause)
  }
}

/** Writes atomically: a partial file never appears under the final name. */
export async function writeOutputFile(
  out: string,
  source: AsyncIterable<string | Uint8Array>,
): Promise<void> {
  const partial = partialPath(out)
  try {
    await pipeline(Readable.from(source), createWriteStream(partial))
    await rename(partial, out).catch((cause) => {
      throw outputFileError(out, cause)
    })
  } finally {
    await rm(partial, { force: true })
  }
}

function partialPath(out: string): string {
  return `${out}.partial`
}

function outputFileError(out: string, cause: unknown): OutputFileError {
  const code = (cause as NodeJS.ErrnoException).code ?? 'unknown error'
  return new OutputFileError(
    `${out} cannot be written, because ${REASONS[code] ?? `of ${code}`}. Choose another file with --out.`,
    { cause },
  )
}
