/** `octavo doctor`: checks that object storage responds and, with `--objects`, that every object is intact. */
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { silentLog } from '../../base/log.ts'
import type { CheckedStore } from '../../objects/checked-store.ts'
import { walkObjects } from '../../objects/walk-objects.ts'
import { knownDataFolder } from '../data-folder.ts'
import { openObjects } from '../open-objects.ts'
import { type Finding, fault, ok, type Patient, reason } from './finding.ts'

const CHECK = 'objects'
const KEYS_SHOWN = 5

export async function checkObjects(patient: Patient): Promise<Finding> {
  const { objects, dataFolder } = patient.config
  if (objects.kind === 'disk') return ok(CHECK, `Files lie in ${join(dataFolder, 'objects')}.`)
  try {
    await using store = await openStore(patient)
    await store.head('doctor/none')
    return ok(CHECK, `The bucket ${objects.bucket} answers.`)
  } catch (error) {
    return unusable(patient, error)
  }
}

/** Verifies every object without a time limit. `tell` receives progress lines. */
export async function walkAllObjects(patient: Patient, tell: (line: string) => void): Promise<Finding> {
  const { objects, dataFolder } = patient.config
  if (objects.kind === 'disk' && !existsSync(knownDataFolder(dataFolder).objects))
    return ok(CHECK, 'Nothing is stored yet.')
  try {
    await using store = await openStore(patient)
    const { objects: count, bytes, damaged } = await walkObjects(store, everySeconds(TOLD_SECONDS, tell))
    const read = `${count} objects with ${(bytes / 1e6).toFixed(1)} MB read`
    if (damaged.length === 0) return ok(CHECK, `${read}, all as they were stored.`)
    const shown = damaged.slice(0, KEYS_SHOWN).join(', ')
    return fault(
      CHECK,
      `${read}, ${damaged.length} of them damaged and thrown away: ${shown}${damaged.length > KEYS_SHOWN ? ', …' : ''}.`,
      'What needs them makes them again when it is asked for. Look at the disk or the bucket.',
    )
  } catch (error) {
    return unusable(patient, error)
  }
}

const TOLD_SECONDS = 10

function everySeconds(seconds: number, tell: (line: string) => void) {
  let last = performance.now()
  return ({ objects, damaged }: { objects: number; damaged: readonly string[] }) => {
    if (performance.now() - last < seconds * 1000) return
    last = performance.now()
    tell(`${objects} objects read, ${damaged.length} damaged …`)
  }
}

/** Opens the store with a random secret, so links signed by it are not valid anywhere. */
function openStore({ config, secrets }: Patient): Promise<CheckedStore> {
  const { objects: folder } = knownDataFolder(config.dataFolder)
  const secret = randomBytes(16).toString('hex')
  return openObjects(config, secrets, { folder, secret, publicUrl: () => 'http://localhost' }, silentLog)
}

function unusable({ config }: Patient, error: unknown): Finding {
  const { objects, dataFolder } = config
  if (objects.kind === 's3')
    return fault(
      CHECK,
      `The bucket ${objects.bucket} cannot be used: ${reason(error)}.`,
      'Correct OCTAVO_S3_BUCKET, _REGION, _ENDPOINT and its keys.',
    )
  return fault(
    CHECK,
    `The files in ${join(dataFolder, 'objects')} cannot be read: ${reason(error)}.`,
    'Give this user the right, or look at the disk.',
  )
}
