import { Type } from 'typebox'
import { Check } from 'typebox/value'
import { ObjectMissingError } from '../objects/object-store.ts'
import { BackupError, type BackupStore, manifestKey } from './backup-store.ts'

const File = Type.Object({ rows: Type.Integer(), bytes: Type.Integer(), sha256: Type.String() })
const Table = Type.Object({
  name: Type.String(),
  columns: Type.Array(Type.String()),
  /** `bytes` and `sha256` describe the compressed rows before they are sealed. */
  file: File,
})

const Manifest = Type.Object({
  id: Type.String(),
  createdAt: Type.String(),
  program: Type.String(),
  database: Type.Object({
    migration: Type.Integer(),
    tables: Type.Array(Table),
    partitions: Type.Array(
      Type.Object({
        name: Type.String(),
        parent: Type.String(),
        bound: Type.String(),
        divided: Type.Union([Type.String(), Type.Null()]),
      }),
    ),
    sequences: Type.Array(Type.Object({ name: Type.String(), value: Type.String() })),
  }),
  objects: Type.Object({
    list: File,
    bytes: Type.Integer(),
    /** The first thousand keys that could not be read when the backup was made. */
    missing: Type.Array(Type.String()),
  }),
  secretFingerprint: Type.String(),
  /** The installation's secret; only in sealed backups. */
  secret: Type.Union([Type.String(), Type.Null()]),
})
export type Manifest = Type.Static<typeof Manifest>
export type FileFacts = Type.Static<typeof File>

const ID = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z$/

/** Formats the time as an id that can be part of a key: `2026-11-30T01-15-00-000Z`. */
export function backupId(at: Date): string {
  return at.toISOString().replaceAll(/[:.]/g, '-')
}

export function parseBackupTime(id: string): Date {
  return new Date(id.replace(/T(\d\d)-(\d\d)-(\d\d)-(\d{3})Z$/, 'T$1:$2:$3.$4Z'))
}

export async function listBackups(store: BackupStore): Promise<string[]> {
  const ids: string[] = []
  for await (const { key } of store.list('backups/')) {
    const [, id = '', file] = key.split('/')
    if (file === 'manifest.json' && ID.test(id)) ids.push(id)
  }
  return ids
}

/** Reads one backup, by default the newest. Throws BackupError, or SealError if it was modified. */
export async function readManifest(store: BackupStore, id?: string): Promise<Manifest> {
  const wanted = id ?? (await listBackups(store)).at(-1)
  if (wanted === undefined) throw new BackupError('The backup target contains no completed backup.')
  if (!ID.test(wanted)) throw new BackupError(`${wanted} is not a valid backup ID.`)
  const text = await store.read(manifestKey(wanted)).catch((error: unknown) => {
    if (error instanceof ObjectMissingError) throw new BackupError(`There is no backup ${wanted}.`)
    throw error
  })
  const manifest: unknown = parse(text.toString())
  if (!Check(Manifest, manifest)) throw new BackupError(`The manifest of the backup ${wanted} is damaged.`)
  return manifest
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
