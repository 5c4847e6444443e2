/** Routes besides the API: health, readiness, the descriptions, and a front page for people. No key, no limit. */

import { createHash } from 'node:crypto'
import type { FastifyInstance, RouteHandlerMethod } from 'fastify'
import type { Operation } from '../../base/api/operation.ts'
import { AppError } from '../../base/errors/errors.ts'
import { DASHBOARD_OPERATIONS } from '../../features/dashboard-operations.ts'
import { setOrigin } from '../../routing/set-origin.ts'
import { SETTINGS_SCHEMA } from '../../site/settings/settings-schema.ts'
import { DESCRIBED_PARTS, describeApi } from '../description/openapi.ts'
import {
  FULL_DESCRIPTION_PATH,
  HEALTH_PATH,
  LIVENESS_PATH,
  partDescriptionPath,
  READINESS_PATH,
  SETTINGS_SCHEMA_PATH,
  SIGNING_KEY_PATH,
} from '../description/service-paths.ts'

const STYLE = `
:root { color-scheme: light dark; --text: #1c1f26; --soft: #5b6270; --line: #e3e6ec; --page: #fbfbfd; --link: #2f5bd0 }
@media (prefers-color-scheme: dark) {
  :root { --text: #e8eaf0; --soft: #9aa1b0; --line: #2a2e38; --page: #111318; --link: #8fb0ff }
}
* { box-sizing: border-box }
body { margin: 0; background: var(--page); color: var(--text); font: 16px/1.6 system-ui, sans-serif }
main { max-width: 40rem; margin: 0 auto; padding: 15vh 1.5rem 4rem }
h1 { margin: 0; font-size: 2rem; line-height: 1.2; letter-spacing: -0.02em }
p { margin: 0.5rem 0 2rem; color: var(--soft) }
ul { margin: 0; padding: 0; list-style: none; border-top: 1px solid var(--line) }
li { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 1rem; padding: 0.7rem 0;
  border-bottom: 1px solid var(--line) }
a { color: var(--link); text-underline-offset: 0.2em }
a:focus-visible { outline: 2px solid var(--link); outline-offset: 3px; border-radius: 2px }
footer { margin-top: 2rem; color: var(--soft); font-size: 0.875rem }
code { font: 0.875em ui-monospace, monospace }
`

/** CSP hash of the only style. */
const FRONT_PAGE_STYLE = `'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`

const PART_NAMES: Record<string, string> = {
  'static-export': 'Static export',
  analytics: 'Analytics',
  agent: 'Agent jobs',
}

/** State of each component that requests need: `ok`, or a sentence about the problem. */
export interface Readiness {
  ok: boolean
  parts: Record<string, string>
}

export interface ServiceRouteDeps {
  operations: Record<string, Operation>
  /** Without a trailing slash. Evaluated per request, because it may depend on the port. */
  publicUrl: () => string
  /** Version of the program. */
  version: string
  isReady(): Promise<Readiness>
  /** Returns the public key for bundle signatures as PEM; null when they are not signed. Left out: never signed. */
  findPublicKey?: () => Promise<string | null>
}

export function addServiceRoutes(app: FastifyInstance, deps: ServiceRouteDeps): void {
  const get = (url: string, handler: RouteHandlerMethod) =>
    app.route({ method: ['GET', 'HEAD'], url, handler })
  // The dashboard serves its own page here.
  if (!app.hasRoute({ method: 'GET', url: '/' })) {
    get('/', async (_request, reply) => {
      setOrigin(reply, 'frontPage', { style: FRONT_PAGE_STYLE })
      return reply.header('Content-Type', 'text/html; charset=utf-8').send(frontPage(deps.version))
    })
  }
  get(HEALTH_PATH, async () => ({ ok: true, version: deps.version }))
  get(LIVENESS_PATH, async () => ({ ok: true }))
  get(READINESS_PATH, async (_request, reply) => {
    const readiness = await deps.isReady()
    return reply.code(readiness.ok ? 200 : 503).send(readiness)
  })
  get(SETTINGS_SCHEMA_PATH, async () => SETTINGS_SCHEMA)
  get(SIGNING_KEY_PATH, async (_request, reply) => {
    const key = (await deps.findPublicKey?.()) ?? null
    if (key === null) throw new AppError('not_found')
    return reply.header('Content-Type', 'application/x-pem-file').send(key)
  })
  get(FULL_DESCRIPTION_PATH, async () =>
    describeApi(deps.operations, { publicUrl: deps.publicUrl(), part: null }),
  )
  get(partDescriptionPath(':part'), async (request) => {
    const { part: name } = request.params as { part: string }
    if (name === 'dashboard') {
      return describeApi(DASHBOARD_OPERATIONS, { publicUrl: deps.publicUrl(), part: 'dashboard' })
    }
    const part = DESCRIBED_PARTS.find((described) => described === name)
    if (part === undefined) throw new AppError('not_found')
    return describeApi(deps.operations, { publicUrl: deps.publicUrl(), part })
  })
}

/** Renders the front page at the server's root URL: a short introduction and links to the descriptions. */
function frontPage(version: string): string {
  const parts = DESCRIBED_PARTS.map((part) => row(partDescriptionPath(part), PART_NAMES[part] ?? part))
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Octavo</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>Octavo</h1>
<p>A documentation platform. Sites are served under their own host names; this is the address of the API.</p>
<ul>
${[row(FULL_DESCRIPTION_PATH, 'The whole API'), ...parts, row(READINESS_PATH, 'State of this server')].join('\n')}
</ul>
<footer>Version ${escapeText(version)} · API descriptions are OpenAPI 3.1</footer>
</main>
</body>
</html>
`
}

function row(path: string, name: string): string {
  return `<li><span>${escapeText(name)}</span><a href="${path}"><code>${path}</code></a></li>`
}

function escapeText(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;')
}
