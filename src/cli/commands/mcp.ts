/** `octavo mcp`: serves pages to local agents over standard input and output, without a network. */
import { cacheFolder } from '../../app/operator/caller.ts'
import { docsServer } from '../../features/mcp/docs-server.ts'
import { serveLines } from '../../features/mcp/stdio.ts'
import type { Command } from '../command.ts'
import { NO_CACHE_FLAG } from '../deployment-flag.ts'
import { openDocs } from '../open-docs.ts'

/** Base URL that is only meaningful to this server, so that no client fetches it. */
const BASE = 'docs:///'

export const mcp: Command = {
  name: 'mcp',
  summary:
    'Serve a folder of docs, a bundle or an archive to AI agents over MCP on standard input and output.',
  worksOn: 'site',
  positionals: ['folder|bundle|archive'],
  flags: { 'no-cache': NO_CACHE_FLAG },
  async run({ positionals, has, print }) {
    const stop = new AbortController()
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort())
    const location = positionals[0] as string
    await using opened = await openDocs({
      docsPath: location,
      cacheFolder: has('no-cache') ? undefined : cacheFolder(),
      signal: stop.signal,
    })
    const { docs } = opened
    print.note(`${docs.site.name}: ${docs.pages.length} pages. Waiting for messages on standard input.`)
    const server = docsServer(
      { docs, base: BASE, submitFeedback: null },
      { name: 'octavo-docs', cacheScope: 'public' },
    )
    const stopped = new Promise<void>((resolve) => {
      stop.signal.addEventListener('abort', () => resolve())
      process.stdout.once('error', () => resolve()) // The client has disconnected.
    })
    await Promise.race([stopped, serveLines(server, process.stdin, writeOut)])
    process.stdin.destroy()
    return 0
  },
}

function writeOut(line: string): Promise<void> {
  return new Promise((resolve) => {
    process.stdout.write(line, () => resolve())
  })
}
