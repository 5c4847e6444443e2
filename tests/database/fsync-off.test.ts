/** A server that could lose committed data is rejected, unless the operator accepts the loss. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { silentLog } from '../../src/base/log.ts'
import { openDatabase } from '../../src/database/database.ts'
import { findBinaries } from '../../src/database/embedded/binaries.ts'
import { createServerFolders, createSocketDir } from '../../src/database/embedded/folders.ts'
import { findPostmaster } from '../../src/database/embedded/postmaster.ts'
import { chooseServerAccount, clusterPathFor, spawnAs } from '../../src/database/embedded/server-account.ts'
import { connectionTo } from '../../src/database/embedded/server-client.ts'
import { startEmbeddedPostgres } from '../../src/database/embedded-postgres.ts'

test('a server with fsync off is refused unless allowFsyncOff is set', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'octavo-fsync-'))
  await (await startEmbeddedPostgres({ dataDir, log: silentLog })).stop()
  const folders = await createServerFolders(dataDir)
  const account = await chooseServerAccount(folders.cluster)
  const { folder } = await findBinaries(account, folders.root)
  const socketDir = await createSocketDir(folders, account)
  const settings = ['fsync=off', 'listen_addresses=', `unix_socket_directories=${socketDir}`]
  const server = spawnAs(
    account,
    join(folder, 'bin', 'postgres'),
    ['-D', clusterPathFor(account, folders.cluster), ...settings.flatMap((setting) => ['-c', setting])],
    { cwd: folders.cluster, stdio: 'ignore' },
  )
  try {
    let found = await findPostmaster(folders.cluster)
    while (found?.state !== 'ready') found = await findPostmaster(folders.cluster)
    const connection = connectionTo(found)
    await assert.rejects(openDatabase({ connection, poolSize: 1, log: silentLog }), {
      name: 'DatabaseStartError',
      message: /runs with fsync off.*OCTAVO_ALLOW_FSYNC_OFF=true/,
    })
    await using allowed = await openDatabase({ connection, poolSize: 1, allowFsyncOff: true, log: silentLog })
    assert.ok(await allowed.isReachable())
  } finally {
    server.kill('SIGINT')
    await once(server, 'exit')
    await rm(socketDir, { recursive: true, force: true })
    await rm(dataDir, { recursive: true, force: true })
  }
})
