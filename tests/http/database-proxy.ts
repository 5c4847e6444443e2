/** A proxy to a PostgreSQL server that can drop its connections, like a network failure. */
import { connect, createServer, type Socket } from 'node:net'

export interface DatabaseProxy extends AsyncDisposable {
  url: string
  /** Closes every connection and accepts no new ones. */
  cut(): Promise<void>
}

export async function startDatabaseProxy(databaseUrl: string): Promise<DatabaseProxy> {
  const target = new URL(databaseUrl)
  const folder = target.searchParams.get('host')
  const port = target.searchParams.get('port') ?? (target.port || '5432')
  const sockets = new Set<Socket>()
  const server = createServer((near) => {
    const far =
      folder === null ? connect(Number(port), target.hostname) : connect(`${folder}/.s.PGSQL.${port}`)
    for (const socket of [near, far]) {
      sockets.add(socket)
      socket.on('error', () => socket.destroy())
      socket.on('close', () => sockets.delete(socket))
    }
    near.pipe(far).pipe(near)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port: own } = server.address() as { port: number }
  const url = new URL(databaseUrl)
  url.searchParams.delete('host')
  url.searchParams.delete('port')
  url.host = `127.0.0.1:${own}`
  const cut = () => {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()))
    for (const socket of sockets) socket.destroy()
    return closed
  }
  return { url: url.href, cut, [Symbol.asyncDispose]: cut }
}
