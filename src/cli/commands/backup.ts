/** `octavo backup`, `octavo restore` and `octavo move-database`. */
import { resolve } from 'node:path'
import {
  backUp,
  moveDatabase,
  openBackups,
  openInstallation,
  restoreInstallation,
} from '../../app/backups.ts'
import { type Config, loadConfig, readDataSettings, type Secrets } from '../../app/config/config.ts'
import { findServerLocation } from '../../app/operator/find-server.ts'
import { resolveProgramCommand } from '../../app/operator/program-call.ts'
import type { Progress } from '../../backup/create-backup.ts'
import { listBackups, readManifest } from '../../backup/manifest.ts'
import { verifyBackup } from '../../backup/verify-backup.ts'
import { type Command, UsageError } from '../command.ts'
import { createProgressLine } from '../progress-line.ts'
import { megabytes, table } from '../table.ts'

const ID_FLAG = { id: { value: 'id', help: 'ID of a backup. Default: the newest.' } }

export const backupCreate: Command = {
  name: 'backup',
  summary: 'Back up the database, objects and secret while the server is running.',
  worksOn: 'node',
  optional: ['target'],
  flags: {},
  async run({ positionals, print }) {
    const { dataFolder } = await findServerLocation(readDataSettings())
    const { config, secrets } = loadTarget(positionals[0], dataFolder)
    await using installation = await openInstallation(config, secrets)
    await using store = await openBackups(config, secrets, { mayCreate: true })
    const line = createProgressLine()
    const made = await backUp(installation, store, showProgress(line))
    line.end()
    if (made === null) {
      print.note('Another backup is running. Nothing was done.')
      return 1
    }
    const { manifest, deleted } = made
    const rows = manifest.database.tables.reduce((sum, { file }) => sum + file.rows, 0)
    const { missing, list, bytes } = manifest.objects
    if (!store.isSealed)
      print.note(
        'The backup is not encrypted and does not include the secret of the installation: store OCTAVO_SECRET, or the file "secret" in the data folder, separately. Set OCTAVO_BACKUP_PASSPHRASE for encrypted backups.',
      )
    if (missing.length > 0) print.note(`${missing.length} objects could not be read, such as ${missing[0]}.`)
    print.result(
      { id: manifest.id, rows, objects: list.rows, bytes, missing, deleted, isSealed: store.isSealed },
      [
        `Backup ${manifest.id}: ${rows} rows, ${list.rows} objects with ${megabytes(bytes)} MB.`,
        ...deleted.map((id) => `Deleted the old backup ${id}.`),
      ],
    )
    return missing.length > 0 ? 1 : 0
  },
}

export const backupList: Command = {
  name: 'backup list',
  summary: 'List backups, oldest first.',
  worksOn: 'node',
  optional: ['target'],
  flags: {},
  async run({ positionals, print }) {
    const { config, secrets } = loadTarget(positionals[0])
    await using store = await openBackups(config, secrets, { mayCreate: false })
    const backups: { id: string; rows: number; objects: number; program: string }[] = []
    for (const id of await listBackups(store)) {
      const { database, objects, program } = await readManifest(store, id)
      const rows = database.tables.reduce((sum, { file }) => sum + file.rows, 0)
      backups.push({ id, rows, objects: objects.list.rows, program })
    }
    const lines = table([
      ['BACKUP', 'ROWS', 'OBJECTS', 'VERSION'],
      ...backups.map(({ id, rows, objects, program }) => [id, String(rows), String(objects), program]),
    ])
    print.result({ backups }, backups.length === 0 ? ['There is no completed backup yet.'] : lines)
    return 0
  },
}

export const backupVerify: Command = {
  name: 'backup verify',
  summary: 'Read a whole backup and report damaged objects; exit code 1 if there are any.',
  worksOn: 'node',
  optional: ['target'],
  flags: ID_FLAG,
  async run({ positionals, flag, print }) {
    const { config, secrets } = loadTarget(positionals[0])
    await using store = await openBackups(config, secrets, { mayCreate: false })
    const verified = await verifyBackup(store, await readManifest(store, flag('id')))
    print.result(verified, [
      ...verified.damaged.map((key) => `Damaged or missing: ${key}`),
      `Backup ${verified.id}: ${verified.rows} rows and ${verified.objects} objects are intact.`,
    ])
    return verified.damaged.length > 0 ? 1 : 0
  },
}

export const restore: Command = {
  name: 'restore',
  summary: 'Restore a backup into an empty data folder, or an empty database and bucket.',
  worksOn: 'node',
  optional: ['target'],
  flags: { ...ID_FLAG, data: { value: 'folder', help: 'Data folder. Default: OCTAVO_DATA.' } },
  async run({ positionals, flag, print }) {
    const { config, secrets } = loadTarget(positionals[0], flag('data'))
    const line = createProgressLine()
    await using store = await openBackups(config, secrets, { mayCreate: false })
    const manifest = await readManifest(store, flag('id'))
    const restored = await restoreInstallation(config, secrets, {
      store,
      manifest,
      report: showProgress(line),
    })
    line.end()
    print.result({ id: manifest.id, ...restored }, [
      `Restored ${manifest.id}: ${restored.rows} rows and ${restored.objects} objects. Start it with: ${resolveProgramCommand()} start --no-sample`,
    ])
    return 0
  },
}

export const moveDatabaseCommand: Command = {
  name: 'move-database',
  summary: 'Copy the embedded database of a stopped server into another PostgreSQL.',
  worksOn: 'node',
  positionals: ['url'],
  flags: {},
  async run({ positionals, print }) {
    const [url] = positionals as [string]
    if (!/^postgres(?:ql)?:$/.test(URL.parse(url)?.protocol ?? ''))
      throw new UsageError('The URL must begin with postgres://.')
    const { config, secrets } = loadConfig()
    if (secrets.databaseUrl !== null)
      throw new UsageError('DATABASE_URL is set, so the embedded database is not in use. Unset it.')
    const { server, dataFolder } = await findServerLocation({ given: config.dataFolder, hasDatabase: false })
    if (server !== null)
      throw new UsageError(`The server at ${server.url} uses the database in ${dataFolder}. Stop it first.`)
    const rows = await moveDatabase(quiet(config), secrets, url)
    print.result({ rows }, [
      `Copied ${rows} rows. Set DATABASE_URL to the new database and start the server. Objects and the secret stay in ${dataFolder}.`,
    ])
    return 0
  },
}

function resolveTarget(target: string | undefined): string | undefined {
  return target === undefined || target.startsWith('s3://') ? target : resolve(target)
}

function loadTarget(given: string | undefined, data?: string): { config: Config; secrets: Secrets } {
  const { config, secrets } = loadConfig({ 'backup-target': resolveTarget(given), data })
  return { config: quiet(config), secrets }
}

/** Logs only warnings, because the user reads the command's standard error. */
function quiet(config: Config): Config {
  return { ...config, logLevel: 'error', logsAsText: process.stderr.isTTY }
}

function showProgress(line: ReturnType<typeof createProgressLine>): Progress {
  const counts = { rows: 0, objects: 0 }
  return ({ stage, count }) => {
    counts[stage] += count
    line.update(() => `${counts.rows} rows, ${counts.objects} objects`)
  }
}
