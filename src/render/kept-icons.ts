/** Icons of a favicon: from the object store when they were made before, else made and stored. */
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { sha256Of } from '../base/hash.ts'
import { ObjectMissingError, type ObjectStore } from '../objects/object-store.ts'
import { gzipMember } from './blobs.ts'
import type { IconJob, MadeIcons } from './favicon/make-icons.ts'
import { runIconWorker } from './favicon/run-worker.ts'
import type { IconAnswer } from './favicon/worker.ts'
import { rendererVersion } from './renderer-version.ts'

const decompress = promisify(gunzip)

/** Bytes as base64. */
interface KeptIcons {
  icons: { side: number; png: string }[]
  given: MadeIcons['given']
  touch: string | null
  ico: string
}

/** A fault is not kept: the next time there may be more time and memory. */
export async function keptIcons(objects: ObjectStore, job: IconJob): Promise<IconAnswer> {
  const key = `favicons/${sha256Of(rendererVersion(), job.kind, job.darkGround, job.content)}.json.gz`
  const kept = await readIcons(objects, key)
  if (kept) return { made: kept }
  const answer = await runIconWorker(job)
  if ('made' in answer) await objects.put(key, await gzipMember(writtenIcons(answer.made), 1))
  return answer
}

function writtenIcons({ icons, given, touch, ico }: MadeIcons): Uint8Array {
  const written: KeptIcons = {
    icons: icons.map(({ side, png }) => ({ side, png: toText(png) })),
    given,
    touch: touch && toText(touch),
    ico: toText(ico),
  }
  return Buffer.from(JSON.stringify(written))
}

/** Null when they are not there, or not readable: then they are made again. */
async function readIcons(objects: ObjectStore, key: string): Promise<MadeIcons | null> {
  try {
    const text = (await decompress(await objects.read(key))).toString()
    const { icons, given, touch, ico } = JSON.parse(text) as KeptIcons
    return {
      icons: icons.map(({ side, png }) => ({ side, png: toBytes(png) })),
      given,
      touch: touch === null ? null : toBytes(touch),
      ico: toBytes(ico),
    }
  } catch (error) {
    if (error instanceof ObjectMissingError || error instanceof SyntaxError) return null
    if (/^Z_/.test(String((error as NodeJS.ErrnoException).code))) return null
    throw error
  }
}

function toText(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64')
}

function toBytes(text: string): Uint8Array {
  return Buffer.from(text, 'base64')
}
