/** Starts the API server of the benchmarks in a separate process. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

export interface BenchServer {
  url: string
  key: string
  siteId: string
  /** Stops the server and returns its peak memory in MB. */
  stop(): Promise<number>
}

export async function spawnServer(databaseUrl: string): Promise<BenchServer> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'server.ts')], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, DATABASE_URL: databaseUrl },
  })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const first = await lines.next()
  return {
    ...JSON.parse(first.value ?? '{}'),
    async stop() {
      child.stdin.end('stop\n')
      const last = await lines.next()
      await once(child, 'exit')
      return Number(last.value)
    },
  }
}
