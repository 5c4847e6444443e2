/**
 * Store of backups: a folder or a bucket that contains nothing else.
 *
 *     repository.json                  format, and the salt of the passphrase when backups are sealed
 *     objects/<key>                    objects of all backups, each once
 *     backups/<id>/<table>.zst         rows of one backup
 *     backups/<id>/objects.zst         sorted keys of its objects
 *     backups/<id>/manifest.json       written last: a backup without it is unfinished
 */
import { randomBytes, scryptSync, timingSafeEqual } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { ObjectMissingError, type ObjectStore, type PutOptions } from '../objects/object-store.ts'
import { openStream, sealStream } from './seal-stream.ts'

/** Error that the operator can fix; the message explains how. */
export class BackupError extends Error {
  override name = 'BackupError'
}

export interface BackupStore {
  isSealed: boolean
  put(key: string, body: Uint8Array | Readable, options?: PutOptions): Promise<void>
  /** Rejects with ObjectMissingError or ObjectDamagedError. The stream may fail with SealError. */
  get(key: string): Promise<Readable>
  read(key: string): Promise<Buffer>
  contentType(key: string): Promise<string | undefined>
  list(prefix: string): AsyncIterable<{ key: string; modifiedAt: Date }>
  delete(key: string): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

interface Repository {
  format: 1
  /** Hexadecimal. */
  seal: { salt: string; check: string } | null
}

const REPOSITORY_KEY = 'repository.json'
const SCRYPT = { N: 1 << 15, r: 8, p: 1, maxmem: 128 * 1024 * 1024 }

export const manifestKey = (id: string) => `backups/${id}/manifest.json`
export const rowsKey = (id: string, table: string) => `backups/${id}/${table}.zst`
export const listKey = (id: string) => `backups/${id}/objects.zst`
export const objectKey = (key: string) => `objects/${key}`

/**
 * Opens a backup store, initializing an empty one if `mayCreate`. Backups are sealed if the store was
 * initialized with a passphrase. Throws BackupError for a wrong or missing passphrase.
 */
export async function openBackupStore(
  store: ObjectStore,
  { passphrase, mayCreate }: { passphrase: string | null; mayCreate: boolean },
): Promise<BackupStore> {
  const repository = (await readRepository(store)) ?? (await createRepository(store, passphrase, mayCreate))
  const key = openSeal(repository, passphrase)
  const open = async (name: string): Promise<Readable> => {
    const stored = await store.get(name)
    return key === null ? stored : Readable.from(openStream(key, name, stored))
  }
  return {
    isSealed: key !== null,
    async put(name, body, options) {
      if (key === null) await store.put(name, body, options)
      else await store.put(name, Readable.from(sealStream(key, name, asChunks(body))), options)
    },
    get: open,
    read: async (name) => await buffer(await open(name)),
    contentType: async (name) => (await store.head(name))?.contentType,
    list: (prefix) => store.list(prefix),
    delete: (name) => store.delete(name),
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  }
}

function asChunks(body: Uint8Array | Readable): Iterable<Uint8Array> | AsyncIterable<Uint8Array> {
  return body instanceof Uint8Array ? [body] : body
}

async function readRepository(store: ObjectStore): Promise<Repository | null> {
  const text = await store.read(REPOSITORY_KEY).catch((error: unknown) => {
    if (error instanceof ObjectMissingError) return null
    throw error
  })
  if (text === null) return null
  const repository = JSON.parse(Buffer.from(text).toString()) as Repository
  if (repository.format !== 1)
    throw new BackupError('These backups were made by a newer version of Octavo. Use that version.')
  return repository
}

async function createRepository(
  store: ObjectStore,
  passphrase: string | null,
  mayCreate: boolean,
): Promise<Repository> {
  if (!mayCreate) throw new BackupError('The backup target contains no backups. Check the folder or bucket.')
  const salt = randomBytes(16)
  const seal = passphrase === null ? null : { salt: salt.toString('hex'), check: checkOf(passphrase, salt) }
  const repository: Repository = { format: 1, seal }
  await store.put(REPOSITORY_KEY, Buffer.from(JSON.stringify(repository)), {
    contentType: 'application/json',
  })
  return repository
}

/** Returns the encryption key, or null if backups are not sealed. */
function openSeal({ seal }: Repository, passphrase: string | null): Buffer | null {
  if (seal === null && passphrase === null) return null
  if (seal === null)
    throw new BackupError(
      'The existing backups are not encrypted. Unset OCTAVO_BACKUP_PASSPHRASE, or use an empty folder or bucket.',
    )
  if (passphrase === null)
    throw new BackupError('The existing backups are encrypted. Set OCTAVO_BACKUP_PASSPHRASE.')
  const salt = Buffer.from(seal.salt, 'hex')
  if (!timingSafeEqual(Buffer.from(seal.check, 'hex'), Buffer.from(checkOf(passphrase, salt), 'hex')))
    throw new BackupError('OCTAVO_BACKUP_PASSPHRASE is not the passphrase of the existing backups.')
  return deriveKeys(passphrase, salt).key
}

function checkOf(passphrase: string, salt: Uint8Array): string {
  return deriveKeys(passphrase, salt).check.toString('hex')
}

function deriveKeys(passphrase: string, salt: Uint8Array): { key: Buffer; check: Buffer } {
  const derived = scryptSync(passphrase, salt, 64, SCRYPT)
  return { key: derived.subarray(0, 32), check: derived.subarray(32) }
}
