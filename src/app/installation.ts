/**
 * All nodes of a database share one secret and one object store. With a different secret, a node would reject the
 * cursors and links of the others; with a different store, it would not find their archives. Such a node does not
 * start.
 *
 * The first node writes a fingerprint of its secret and a name for the store to the database, then the name to the
 * store, then a confirmation to the database; later nodes compare. If a node crashes in between, the next one
 * continues. If the store is unreachable, the node starts nevertheless and logs the problem.
 */
import { createHmac } from 'node:crypto'
import type { Log } from '../base/log.ts'
import type { Database } from '../database/database.ts'
import { DatabaseStartError } from '../database/start-error.ts'
import { ObjectMissingError, type ObjectStore } from '../objects/object-store.ts'

export const STORE_KEY = 'installation.txt'
const MAX_NAME = 100

export interface InstallationDeps {
  database: Database
  objects: ObjectStore
  secret: string
  log: Log
}

/** Compares this node's secret and store with the stored ones. Throws DatabaseStartError if they differ. */
export async function joinInstallation({ database, objects, secret, log }: InstallationDeps): Promise<void> {
  const own = fingerprintSecret(secret)
  const installation = (await readInstallation(database)) ?? (await writeInstallation(database, own))
  if (installation.secret_fingerprint !== own) throw new DatabaseStartError(SECRET_MISMATCH)
  const found = await readStoreName(objects, log)
  if (found === undefined) return
  if (found !== null && found !== installation.store_id) throw new DatabaseStartError(STORE_MISMATCH)
  if (installation.is_store_marked) {
    if (found === null) throw new DatabaseStartError(UNKNOWN_STORE)
    return
  }
  if (found === null)
    await objects.put(STORE_KEY, Buffer.from(installation.store_id), { contentType: 'text/plain' })
  await database.queries.updateTable('installation').set({ is_store_marked: true }).execute()
}

const SECRET_MISMATCH =
  'OCTAVO_SECRET differs from the other nodes of this database. Set it to their value (if they do not set it, use the file "secret" in the data folder of the first node). If that secret is lost, run "DELETE FROM installation" in the database; links, cursors, webhook secrets and git credentials created with it then stop working.'
const STORE_MISMATCH =
  'The object store of this node belongs to another database. Check OCTAVO_S3_BUCKET and OCTAVO_S3_PREFIX (or OCTAVO_DATA, if objects are stored on disk), and give each database its own store or prefix. If the other database no longer exists, delete the object installation.txt in the store.'
const UNKNOWN_STORE =
  'The object store of this node differs from the other nodes of this database. Check OCTAVO_S3_BUCKET and OCTAVO_S3_PREFIX (or OCTAVO_DATA, if objects are stored on disk). If that store no longer exists, run "DELETE FROM installation" in the database, then publish and export again.'

/** Returns whether this is the secret of the database's nodes. False before the first node has started. */
export async function isInstallationSecret(database: Database, secret: string): Promise<boolean> {
  return (await readInstallation(database))?.secret_fingerprint === fingerprintSecret(secret)
}

/** Returns a hash from which the secret cannot be recovered, even with access to the database. */
export function fingerprintSecret(secret: string): string {
  return createHmac('sha256', secret).update('octavo installation').digest('hex').slice(0, 32)
}

function readInstallation({ queries }: Database) {
  return queries.selectFrom('installation').selectAll().executeTakeFirst()
}

/** Inserts the row, or returns the row of another node that starts at the same time. */
async function writeInstallation(database: Database, secretFingerprint: string) {
  await database.queries
    .insertInto('installation')
    .values({ secret_fingerprint: secretFingerprint })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return database.queries.selectFrom('installation').selectAll().executeTakeFirstOrThrow()
}

/** Reads the store's name: null if the store has no name, undefined if the store is unreachable. */
async function readStoreName(objects: ObjectStore, log: Log): Promise<string | null | undefined> {
  try {
    return Buffer.from(await objects.read(STORE_KEY))
      .toString('utf8', 0, MAX_NAME)
      .trim()
  } catch (error) {
    if (error instanceof ObjectMissingError) return null
    log.warn({ error: (error as Error).message }, 'objects.unverified')
    return undefined
  }
}
