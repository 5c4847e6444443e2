/** Icons of a favicon: from the object store when they were made before, else made and stored. */
import { sha256Of } from '../../base/hash.ts'
import type { ObjectCache } from '../../objects/object-store.ts'
import { rendererVersion } from '../machinery/renderer-version.ts'
import { putEntry, readEntry } from '../versions/cache-entries.ts'
import type { IconJob, MadeIcons } from './make-icons.ts'
import { runIconWorker } from './run-worker.ts'
import type { IconAnswer } from './worker.ts'

/** Bytes as base64. */
interface KeptIcons {
  icons: { side: number; png: string }[]
  given: MadeIcons['given']
  touch: string | null
  ico: string
}

/** A fault is not kept: the next time there may be more time and memory. */
export async function keptIcons(objects: ObjectCache, job: IconJob): Promise<IconAnswer> {
  const key = `favicons/${sha256Of(rendererVersion(), job.kind, job.darkGround, job.content)}.json.zst`
  const kept = await readEntry<KeptIcons>(objects, key)
  if (kept) return { made: readIcons(kept) }
  const answer = await runIconWorker(job)
  if ('made' in answer) await putEntry(objects, key, writtenIcons(answer.made))
  return answer
}

function writtenIcons({ icons, given, touch, ico }: MadeIcons): KeptIcons {
  return {
    icons: icons.map(({ side, png }) => ({ side, png: toText(png) })),
    given,
    touch: touch && toText(touch),
    ico: toText(ico),
  }
}

function readIcons({ icons, given, touch, ico }: KeptIcons): MadeIcons {
  return {
    icons: icons.map(({ side, png }) => ({ side, png: toBytes(png) })),
    given,
    touch: touch === null ? null : toBytes(touch),
    ico: toBytes(ico),
  }
}

function toText(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64')
}

function toBytes(text: string): Uint8Array {
  return Buffer.from(text, 'base64')
}
