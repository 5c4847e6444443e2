/**
 * Admin key for the command line on the server's machine: created on first use and stored in the data folder,
 * readable only by this user. Access to the data folder already allows creating keys, so this grants nothing more.
 */
import { mkdir, open, readFile, rename } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { createId } from '../../base/ids.ts'
import { listApiKeys } from '../../features/accounts/keys/api-keys.ts'
import { type Administration, addKey } from './administration.ts'

/** Remaining validity below which a key is replaced. */
const MIN_REMAINING_MS = 3_600_000

/** Returns the text of a valid key of the organization. */
export async function getCommandLineKey(context: Administration, organizationId: string): Promise<string> {
  const folder = join(context.config.dataFolder, 'command-line')
  const file = join(folder, `${organizationId}.json`)
  const stored = await readStoredKey(file)
  if (stored !== null && (await isUsable(context, organizationId, stored.id))) return stored.key
  const { key, text } = await addKey(context, { organizationId, name: `Command line (${userName()})` })
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const draft = join(folder, `${createId('evt')}.new`)
  const handle = await open(draft, 'wx', 0o600)
  try {
    await handle.writeFile(`${JSON.stringify({ id: key.id, key: text })}\n`)
    await handle.sync()
  } finally {
    await handle.close()
  }
  await rename(draft, file)
  return text
}

async function isUsable(
  { database }: Administration,
  organizationId: string,
  keyId: string,
): Promise<boolean> {
  const key = (await listApiKeys(database.queries, organizationId)).find(({ id }) => id === keyId)
  return (
    key !== undefined &&
    key.revokedAt === null &&
    (key.expiresAt === null || key.expiresAt.getTime() > Date.now() + MIN_REMAINING_MS)
  )
}

async function readStoredKey(file: string): Promise<{ id: string; key: string } | null> {
  try {
    const { id, key } = JSON.parse(await readFile(file, 'utf8')) as { id?: unknown; key?: unknown }
    return typeof id === 'string' && typeof key === 'string' ? { id, key } : null
  } catch {
    return null
  }
}

function userName(): string {
  try {
    return userInfo().username
  } catch {
    return `user ${process.getuid?.() ?? ''}`
  }
}
