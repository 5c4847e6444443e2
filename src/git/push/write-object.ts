/** Adds loose objects to a repository in the same way as git, without starting a process for each. */
import { createHash, randomUUID } from 'node:crypto'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { deflate } from 'node:zlib'
import { InternalError } from '../../base/internal-error.ts'

const compress = promisify(deflate)

/**
 * Gives the object's name. It may be lost with the machine's power: one that lies there already is written again, and a
 * mirror that lacks one is made anew.
 */
export async function writeObject(
  gitDir: string,
  type: 'blob' | 'tree' | 'commit',
  content: Buffer,
): Promise<string> {
  const whole = Buffer.concat([Buffer.from(`${type} ${content.length}\0`), content])
  const id = createHash('sha1').update(whole).digest('hex')
  const path = join(gitDir, 'objects', id.slice(0, 2), id.slice(2))
  const fresh = join(gitDir, 'objects', `tmp_obj_${randomUUID()}`)
  try {
    await writeFile(fresh, await compress(whole), { mode: 0o444, flag: 'wx' })
    await mkdir(dirname(path), { recursive: true })
    await rename(fresh, path)
  } catch (cause) {
    await rm(fresh, { force: true })
    throw new InternalError('an object could not be written', { cause })
  }
  return id
}
