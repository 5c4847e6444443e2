/** Copies a whole database into an empty one, without an intermediate backup. */
import { Client, type ClientConfig } from 'pg'
import { beginLoading, beginSnapshot, readRows } from './copy-tables.ts'
import { type Destination, prepareTables, requireEmpty } from './restore-backup.ts'

/** Returns the number of rows. Throws BackupError if the destination has data. */
export async function moveRows(
  from: ClientConfig,
  destination: Omit<Destination, 'objects'>,
): Promise<number> {
  await requireEmpty(destination.database)
  const source = new Client(from)
  const target = new Client(destination.connection)
  for (const client of [source, target]) client.on('error', () => undefined) // A lost connection also rejects the running query, which reports it.
  try {
    await Promise.all([source.connect(), target.connect()])
    const shape = await beginSnapshot(source)
    await prepareTables(destination, shape.migration)
    const loader = await beginLoading(target, shape)
    let rows = 0
    for (const table of shape.tables) rows += await loader.load(table, readRows(source, table))
    await loader.commit()
    return rows
  } finally {
    await Promise.all([source.end(), target.end()])
  }
}
