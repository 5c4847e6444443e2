/**
 * Serves the API over the benchmark database (`DATABASE_URL`), in a separate process. Prints `{ url, key, siteId }`
 * once it listens. A line on standard input stops it, and it prints its peak memory in MB.
 */
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { loadConfig } from '../../src/app/config/config.ts'
import { startNode } from '../../src/app/node.ts'
import { addKey } from '../../src/app/operator/administration.ts'
import { ORGANIZATION, PROJECT } from './scene.ts'

const client = new Client({ connectionString: process.env.DATABASE_URL })
await client.connect()
// The previous server used another data folder. Neither folder contains anything that the database refers to.
await client.query('DELETE FROM installation')
await client.end()
const folder = await mkdtemp(join(tmpdir(), 'octavo-bench-node-'))
const { config, secrets } = loadConfig(
  {},
  {
    PORT: '0',
    OCTAVO_ROLE: 'api',
    OCTAVO_DATA: folder,
    OCTAVO_LOG: 'error',
    OCTAVO_SECRET: 'a secret of the measurements, long enough',
    OCTAVO_TRUSTED_PROXIES: '1',
    OCTAVO_LIMIT_ANALYTICS: '9999999/60',
    OCTAVO_LIMIT_SITE_FEEDBACK: '9999999/60',
    OCTAVO_LIMIT_PAGE_EVENTS: '9999999/60',
    OCTAVO_LIMIT_SITE_PAGE_EVENTS: '9999999/60',
    OCTAVO_LIMIT_NEW_KEYS: '9999999/60',
    DATABASE_URL: process.env.DATABASE_URL,
  },
)
const node = await startNode(config, secrets)
const { text: key } = await addKey(node.context, { organizationId: ORGANIZATION, name: 'bench' })
process.stdout.write(`${JSON.stringify({ url: node.context.publicUrl(), key, siteId: `site_${PROJECT}` })}\n`)
await once(process.stdin, 'data')
process.stdin.destroy()
process.stdout.write(`${Math.round(process.resourceUsage().maxRSS / 1024)}\n`)
await node.stop()
await rm(folder, { recursive: true, force: true })
