/** `octavo doctor`: checks that object storage responds and, with `--objects`, that every object is intact. */
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { silentLog } from '../../base/log.ts'
import type { CheckedStore } from '../../objects/checked-store.ts'
import { verifyAllObjects } from '../../objects/verify-objects.ts'
import { dataFolderPaths } from '../data-folder.ts'
import { openObjects } from '../open-objects.ts'
import { type DoctorContext, type Finding, fault, ok, reason } from './finding.ts'

const CHECK = 'objects'
const MAX_SHOWN_KEYS = 5

export async function checkObjects(context: DoctorContext): Promise<Finding> {
  const { objects, dataFolder } = context.config
  if (objects.kind === 'disk') return ok(CHECK, `Files are stored in ${join(dataFolder, 'objects')}.`)
  try {
    await using store = await openStore(context)
    await store.head('doctor/none')
    return ok(CHECK, `The bucket ${objects.bucket} responds.`)
  } catch (error) {
    return unusableStoreFinding(context, error)
  }
}

/** Verifies every object without a time limit. Calls `onProgress` with progress lines. */
export async function checkAllObjects(
  context: DoctorContext,
  onProgress: (line: string) => void,
): Promise<Finding> {
  const { objects, dataFolder } = context.config
  if (objects.kind === 'disk' && !existsSync(dataFolderPaths(dataFolder).objects))
    return ok(CHECK, 'Nothing is stored yet.')
  try {
    await using store = await openStore(context)
    const {
      objects: count,
      bytes,
      damaged,
    } = await verifyAllObjects(store, throttle(PROGRESS_INTERVAL_SECONDS, onProgress))
    const read = `${count} objects with ${(bytes / 1e6).toFixed(1)} MB read`
    if (damaged.length === 0) return ok(CHECK, `${read}, all intact.`)
    const shown = damaged.slice(0, MAX_SHOWN_KEYS).join(', ')
    return fault(
      CHECK,
      `${read}, ${damaged.length} of them damaged and deleted: ${shown}${damaged.length > MAX_SHOWN_KEYS ? ', …' : ''}.`,
      'They are created again when needed. Check the disk or the bucket.',
    )
  } catch (error) {
    return unusableStoreFinding(context, error)
  }
}

const PROGRESS_INTERVAL_SECONDS = 10

function throttle(seconds: number, onProgress: (line: string) => void) {
  let last = performance.now()
  return ({ objects, damaged }: { objects: number; damaged: readonly string[] }) => {
    if (performance.now() - last < seconds * 1000) return
    last = performance.now()
    onProgress(`${objects} objects read, ${damaged.length} damaged …`)
  }
}

/** Opens the store with a random secret, so that links signed with it are invalid everywhere. */
function openStore({ config, secrets }: DoctorContext): Promise<CheckedStore> {
  const { objects: folder } = dataFolderPaths(config.dataFolder)
  const secret = randomBytes(16).toString('hex')
  return openObjects(config, secrets, { folder, secret, publicUrl: () => 'http://localhost' }, silentLog)
}

function unusableStoreFinding({ config }: DoctorContext, error: unknown): Finding {
  const { objects, dataFolder } = config
  if (objects.kind === 's3')
    return fault(
      CHECK,
      `The bucket ${objects.bucket} cannot be used: ${reason(error)}.`,
      'Correct OCTAVO_S3_BUCKET, _REGION, _ENDPOINT and the keys.',
    )
  return fault(
    CHECK,
    `The files in ${join(dataFolder, 'objects')} cannot be read: ${reason(error)}.`,
    'Give this user access, or check the disk.',
  )
}
