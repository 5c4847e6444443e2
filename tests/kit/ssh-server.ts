/** SSH server that gives anyone read access to a folder of repositories, served by git itself. */
import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Connection, ServerChannel } from 'ssh2'

// ssh2 is CommonJS, and Node.js does not detect its named exports.
const { Server, utils } = createRequire(import.meta.url)('ssh2') as typeof import('ssh2')

export interface SshServer extends AsyncDisposable {
  port: number
  /** Commands requested by clients. */
  commands: string[]
}

/** Command that git asks the server to run. */
const UPLOAD_PACK = /^git-upload-pack '\/([\w.-]+)'$/

export async function startSshServer({ folder, host }: { folder: string; host: string }): Promise<SshServer> {
  const clients = new Set<Connection>()
  const commands: string[] = []
  const hostKeys = [utils.generateKeyPairSync('ed25519').private]
  const server = new Server({ hostKeys }, (client) => {
    clients.add(client)
    client.on('error', () => {}) // clients may leave as they like
    client.on('close', () => clients.delete(client))
    client.on('authentication', (context) => context.accept())
    client.on('session', (accept) =>
      accept().on('exec', (acceptCommand, reject, { command }) => {
        commands.push(command)
        const name = UPLOAD_PACK.exec(command)?.[1]
        if (name === undefined) return reject()
        uploadPack(join(folder, name), acceptCommand())
      }),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, host, resolve))
  return {
    port: server.address().port,
    commands,
    async [Symbol.asyncDispose]() {
      for (const client of clients) client.end()
      await new Promise<void>((resolve) => server.close(resolve))
    },
  }
}

function uploadPack(repository: string, channel: ServerChannel): void {
  const child = spawn('git', ['-c', 'safe.directory=*', 'upload-pack', repository], { stdio: 'pipe' })
  channel.pipe(child.stdin)
  child.stdin.on('error', () => {}) // its end says more
  child.stdout.pipe(channel, { end: false })
  child.stderr.pipe(channel.stderr, { end: false })
  child.once('close', (code) => {
    channel.exit(code ?? 1)
    channel.end()
  })
}
