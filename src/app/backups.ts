/** Backs up this installation: on command, and regularly on one of its nodes. */
import { randomBytes } from 'node:crypto'
import { isAbsolute, resolve } from 'node:path'
import { BackupError, type BackupStore, openBackupStore } from '../backup/backup-store.ts'
import { createBackup, type Progress } from '../backup/create-backup.ts'
import { deleteOldBackups } from '../backup/delete-old-backups.ts'
import { listBackups, type Manifest, parseBackupTime, readManifest } from '../backup/manifest.ts'
import { moveRows } from '../backup/move-rows.ts'
import { type Restored, requireEmpty, restoreBackup } from '../backup/restore-backup.ts'
import { repeat } from '../base/repeat.ts'
import { connectionConfig, directAddress, openDatabase } from '../database/database.ts'
import { requireMigrated } from '../database/migrate.ts'
import { openDiskStore } from '../objects/disk-store.ts'
import type { ObjectStore } from '../objects/object-store.ts'
import { openQueue } from '../queue/queue.ts'
import type { Config, Secrets } from './config/config.ts'
import type { Context } from './context.ts'
import { dataFolderPaths, readSecret, writeSecret } from './data-folder.ts'
import { type DatabaseContext, openDatabaseContext, openUnmigratedDatabase } from './database-context.ts'
import { fingerprintSecret, isInstallationSecret } from './installation.ts'
import { openBucket, openObjects } from './open-objects.ts'
import { PROGRAM_VERSION } from './version.ts'

/** Arbitrary number that no other advisory lock of Octavo uses. */
const BACKUP_LOCK = 4_519_270_338
const POLL_MS = 60_000
/** Delay after a failed backup, so that a full disk is not written to every minute. */
const BACKUP_RETRY_DELAY_MS = 30 * 60_000

/** Opens the backup store. Throws BackupError. */
export async function openBackups(
  config: Config,
  secrets: Secrets,
  { mayCreate }: { mayCreate: boolean },
): Promise<BackupStore> {
  const { target } = config.backup
  if (target === null)
    throw new BackupError(
      'No backup target is set. Specify a folder or s3://<bucket>/<prefix>, or set OCTAVO_BACKUP_TARGET.',
    )
  const passphrase = secrets.backupPassphrase
  return openBackupStore(await openTarget(config, secrets, target), { passphrase, mayCreate })
}

async function openTarget(config: Config, secrets: Secrets, target: string): Promise<ObjectStore> {
  if (target.startsWith('s3://')) {
    const [bucket = '', ...prefix] = target.slice('s3://'.length).split('/')
    return openBucket(config, secrets, { bucket, prefix: prefix.join('/') })
  }
  if (!isAbsolute(target)) throw new BackupError(`${target} must be an absolute folder.`)
  const folder = resolve(target)
  // `publicUrl` and `secret` are only for links, which backups do not have.
  return openDiskStore({ folder, publicUrl: '', secret: randomBytes(32) })
}

export interface Installation {
  context: Pick<DatabaseContext, 'address' | 'database' | 'config'>
  objects: ObjectStore
  secret: string
}

/**
 * Opens the installation for one backup, also while a server is running. Does not migrate, so that a backup can be
 * made before an upgrade. Throws DatabaseStartError if there are no tables, and BackupError if the secret is not the
 * server's.
 */
export async function openInstallation(
  config: Config,
  secrets: Secrets,
): Promise<Installation & AsyncDisposable> {
  await using opening = new AsyncDisposableStack()
  const context = opening.use(await openUnmigratedDatabase(config, secrets, { mayCreate: false }))
  await requireMigrated(context.database)
  const secret = secrets.secret ?? (await readSecret(context.folder, 'secret'))
  if (secret === null || !(await isInstallationSecret(context.database, secret)))
    throw new BackupError(
      'OCTAVO_SECRET does not match the secret of the server. Set the same value, or set OCTAVO_DATA to its data folder.',
    )
  const location = { folder: context.folder.objects, secret, publicUrl: () => '' }
  const objects = opening.use(await openObjects(config, secrets, location, context.log))
  const open = opening.move()
  return { context, objects, secret, [Symbol.asyncDispose]: () => open.disposeAsync() }
}

/**
 * Makes a backup and deletes old ones. Returns null if another process is making a backup. Throws BackupError
 * if the target contains backups of another installation.
 */
export async function backUp(
  { context, objects, secret }: Installation,
  store: BackupStore,
  report?: Progress,
): Promise<{ manifest: Manifest; deleted: string[] } | null> {
  return context.database.tryWithLock(BACKUP_LOCK, async () => {
    const secretFingerprint = fingerprintSecret(secret)
    const before = (await listBackups(store)).at(-1)
    if (before !== undefined && (await readManifest(store, before)).secretFingerprint !== secretFingerprint)
      throw new BackupError(
        'The backup target contains backups of another installation. Use another folder or bucket.',
      )
    const database = connectionConfig(directAddress(context.address))
    const source = { database, objects, program: PROGRAM_VERSION, secret, secretFingerprint }
    const manifest = await createBackup(source, store, report)
    return { manifest, deleted: await deleteOldBackups(store, context.config.backup.retained) }
  })
}

/** Starts regular backups. The first check is immediate. */
export function startBackups(context: Context, secrets: Secrets): AsyncDisposable {
  return repeat({
    everyMs: POLL_MS,
    retryAfterMs: BACKUP_RETRY_DELAY_MS,
    async work() {
      await using store = await openBackups(context.config, secrets, { mayCreate: true })
      if (!(await isBackupDue(store, context))) return
      const { secret, servedObjects: objects } = context
      const made = await backUp({ context, objects, secret }, store)
      if (made !== null) reportBackup(context, made.manifest)
    },
    onFailure: (err) => context.log.error({ err }, 'backup.failed'),
  })
}

async function isBackupDue(store: BackupStore, { config, metrics }: Context): Promise<boolean> {
  const last = (await listBackups(store)).at(-1)
  if (last === undefined) return true
  const at = parseBackupTime(last)
  metrics.backupSeen(at)
  return Date.now() - at.getTime() >= config.backup.hours * 3_600_000
}

function reportBackup({ log, metrics }: Context, { id, database, objects }: Manifest): void {
  metrics.backupSeen(parseBackupTime(id))
  const rows = database.tables.reduce((sum, { file }) => sum + file.rows, 0)
  log.info({ id, rows, objects: objects.list.rows }, 'backup.completed')
  if (objects.missing.length > 0) log.error({ id, missing: objects.missing }, 'backup.objects_missing')
}

/**
 * Restores a backup into an empty data folder, database and object store. Verifies that the secret is the one that
 * encrypted the data. A sealed backup contains the secret. Throws BackupError.
 */
export async function restoreInstallation(
  config: Config,
  secrets: Secrets,
  { store, manifest, report }: { store: BackupStore; manifest: Manifest; report: Progress },
): Promise<Restored> {
  const secret = await chooseSecret(config, secrets, manifest)
  await using context = await openUnmigratedDatabase(config, secrets)
  await requireEmpty(context.database)
  if (secrets.secret === null) await writeSecret(context.folder, 'secret', secret)
  const location = { folder: context.folder.objects, secret, publicUrl: () => '' }
  await using objects = await openObjects(config, secrets, location, context.log)
  return await restoreBackup(store, manifest, { ...createRestoreDestination(context), objects }, report)
}

/** Throws BackupError if the secret is missing or wrong. */
async function chooseSecret(
  config: Config,
  { secret: given }: Secrets,
  { id, secret: included, secretFingerprint }: Manifest,
): Promise<string> {
  const secret = given ?? (await readSecret(dataFolderPaths(config.dataFolder), 'secret')) ?? included
  if (secret === null)
    throw new BackupError(
      `The backup ${id} is not encrypted and does not include the secret of the installation. Set OCTAVO_SECRET to that secret, or copy the file "secret" into the data folder.`,
    )
  if (fingerprintSecret(secret) !== secretFingerprint)
    throw new BackupError(
      'OCTAVO_SECRET, or the file "secret" in the data folder, does not match the secret of the installation that was backed up.',
    )
  return secret
}

/**
 * Copies the embedded database of a data folder, whose server is stopped, into another PostgreSQL. Throws
 * BackupError if the target contains data.
 */
export async function moveDatabase(config: Config, secrets: Secrets, url: string): Promise<number> {
  await using source = await openDatabaseContext(config, secrets, { mayCreate: false })
  await using database = await openDatabase({
    url,
    poolSize: 2,
    allowFsyncOff: config.allowFsyncOff,
    log: source.log,
  })
  const destination = createRestoreDestination({ database, address: { url }, log: source.log })
  return await moveRows(connectionConfig(source.address), destination)
}

function createRestoreDestination({
  address,
  database,
  log,
}: Pick<DatabaseContext, 'address' | 'database' | 'log'>) {
  const installQueue = async () => {
    await using _queue = await openQueue({ address, log })
  }
  return { database, connection: connectionConfig(directAddress(address)), installQueue, log }
}
