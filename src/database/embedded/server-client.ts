/** Runs queries on an embedded server. */
import { Client } from 'pg'
import type { Postmaster } from './postmaster.ts'

export interface PostgresConnection {
  /** A host name, or the folder of a Unix socket. */
  host: string
  port: number
  user: string
  database: string
}

export const SUPERUSER = 'octavo'
const DATABASE = 'octavo'

export function connectionTo(postmaster: Postmaster): PostgresConnection {
  return { host: postmaster.socketDir, port: postmaster.port, user: SUPERUSER, database: DATABASE }
}

export async function createDatabase(connection: PostgresConnection): Promise<void> {
  const client = new Client({ ...connection, database: 'postgres' })
  await client.connect()
  try {
    const found = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [connection.database])
    if (found.rowCount === 0) await client.query(`CREATE DATABASE ${connection.database}`)
  } catch (error) {
    // 42P04 and 23505: another process created the database at the same moment.
    if (!['42P04', '23505'].includes((error as { code?: string }).code ?? '')) throw error
  } finally {
    await client.end()
  }
}

export async function isAnswering(connection: PostgresConnection): Promise<boolean> {
  const client = new Client({ ...connection, database: 'postgres', connectionTimeoutMillis: 5000 })
  client.on('error', () => undefined)
  return client.connect().then(
    () => client.end().then(() => true),
    () => false,
  )
}
