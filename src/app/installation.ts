/**
 * All nodes of a database have one secret and one object store. With another secret every cursor and link of the others
 * would be refused, with another store their archives would not be found: such a node does not start.
 *
 * The first node leaves a fingerprint of its secret and a name for the store in the database, then the name in the
 * store, then a note that it did; later nodes compare. One that dies on the way is followed by one that goes on there. A
 * store that cannot be asked does not keep a node from starting: it is told in the log.
 */
import { createHmac } from 'node:crypto'
import type { Log } from '../base/log.ts'
import type { Database } from '../database/database.ts'
import { DatabaseStartError } from '../database/start-error.ts'
import { ObjectMissingError, type ObjectStore } from '../objects/object-store.ts'

/** Holds the name of the store. */
export const STORE_KEY = 'installation.txt'
const MAX_NAME = 100

export interface InstallationParts {
  database: Database
  objects: ObjectStore
  secret: string
  log: Log
}

/** Throws DatabaseStartError, with the remedy, for a node that does not belong to the others. */
export async function joinInstallation({ database, objects, secret, log }: InstallationParts): Promise<void> {
  const own = fingerprintOf(secret)
  const installation = (await readInstallation(database)) ?? (await writeInstallation(database, own))
  if (installation.secret_fingerprint !== own) throw new DatabaseStartError(OTHER_SECRET)
  const found = await readStoreName(objects, log)
  if (found === undefined) return
  if (found !== null && found !== installation.store_id) throw new DatabaseStartError(OTHER_STORE)
  if (installation.is_store_marked) {
    if (found === null) throw new DatabaseStartError(UNKNOWN_STORE)
    return
  }
  if (found === null)
    await objects.put(STORE_KEY, Buffer.from(installation.store_id), { contentType: 'text/plain' })
  await database.queries.updateTable('installation').set({ is_store_marked: true }).execute()
}

const OTHER_SECRET =
  'OCTAVO_SECRET is not the one that the other nodes of this database have: give this node the same (where it is not set, it is the file "secret" in the data folder of the first node). When that secret is lost for good, run "DELETE FROM installation" in the database; links, cursors, webhook secrets and git credentials made with it no longer work.'
const OTHER_STORE =
  'The object store of this node belongs to another database: check OCTAVO_S3_BUCKET and OCTAVO_S3_PREFIX (with disk storage OCTAVO_DATA), and give each database a store or a prefix of its own. When the other database is gone for good, delete the object installation.txt in the store.'
const UNKNOWN_STORE =
  'The object store of this node is not the one that the other nodes of this database have: check OCTAVO_S3_BUCKET and OCTAVO_S3_PREFIX (with disk storage OCTAVO_DATA). When that store is gone for good, run "DELETE FROM installation" in the database; what was stored there is made again by publishing and exporting anew.'

/** Whether what is sealed here can be opened by the nodes of this database. False before the first of them was there. */
export async function isSecretOfNodes(database: Database, secret: string): Promise<boolean> {
  return (await readInstallation(database))?.secret_fingerprint === fingerprintOf(secret)
}

/** Says nothing of the secret to those who read the database. */
function fingerprintOf(secret: string): string {
  return createHmac('sha256', secret).update('octavo installation').digest('hex').slice(0, 32)
}

function readInstallation({ queries }: Database) {
  return queries.selectFrom('installation').selectAll().executeTakeFirst()
}

/** Of nodes that start at once the first writes, and the others get its row. */
async function writeInstallation(database: Database, secretFingerprint: string) {
  await database.queries
    .insertInto('installation')
    .values({ secret_fingerprint: secretFingerprint })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return database.queries.selectFrom('installation').selectAll().executeTakeFirstOrThrow()
}

/** Null when the store has none; undefined when it cannot be asked. */
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
