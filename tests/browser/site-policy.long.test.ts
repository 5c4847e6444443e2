/** The CSP of published sites in a real browser: content of authors and integrations works, attacks are blocked. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import type { Browser, BrowserContext } from 'playwright-core'
import { addProject } from '../../src/app/operator/administration.ts'
import { browserTest } from '../kit/browser.ts'
import { startTestNode, type TestNode } from '../kit/node.ts'
import { addPerson, PASSWORD } from '../kit/people.ts'
import { publish, until } from '../kit/until.ts'
import { sampleOf } from '../kit/whole-run.ts'

const DOCS = join(import.meta.dirname, '../../docs')
const DOMAIN = 'manual.localhost'
const SERVICES = 'services.localhost'

/** One integration of each kind that loads its own script. */
const INTEGRATIONS = {
  adobe: { launchUrl: 'https://assets.adobedtm.com/launch.min.js' },
  amplitude: { apiKey: 'a' },
  clarity: { projectId: 'a' },
  clearbit: { publicApiKey: 'pk_a' },
  fathom: { siteId: 'A' },
  frontchat: { snippetId: 'a' },
  ga4: { measurementId: 'G-AAAAAAA' },
  gtm: { tagId: 'GTM-AAAA' },
  heap: { appId: '1' },
  hotjar: { hjid: '1', hjsv: '6' },
  intercom: { appId: 'a' },
  koala: { publicApiKey: 'a' },
  logrocket: { appId: 'a/b' },
  mixpanel: { projectToken: 'a' },
  pirsch: { id: 'a' },
  plausible: { domain: 'docs.example.com' },
  posthog: { apiKey: 'phc_a' },
  segment: { key: 'a' },
}

const PAGE = `---
title: Everything
---

import { useState } from 'react'

export const Counter = () => {
  const [count, setCount] = useState(0)
  return <button id="count" onClick={() => setCount(count + 1)}>{count}</button>
}

<Counter />

\`\`\`mermaid
graph TD; A-->B
\`\`\`

$$e = mc^2$$

<img src="https://images.example.com/a.png" alt="from elsewhere" />

<iframe id="framed" src="https://video.example.com/embed/1" title="a video"></iframe>

<div style={{ color: 'red' }}>coloured</div>
`

let node: TestNode
before(async () => {
  node = await startTestNode()
  const { id: manual } = await addProject(node.node.context, {
    organizationId: node.organizationId,
    name: 'Manual',
    domains: [DOMAIN],
    source: { kind: 'folder', repository: DOCS },
  })
  const { projectId: services } = await node.addSite(SERVICES, {
    'docs.json': JSON.stringify({
      name: 'Services',
      theme: 'mint',
      colors: { primary: '#3366cc' },
      navigation: { pages: ['index'] },
      integrations: INTEGRATIONS,
    }),
    'index.mdx': PAGE,
    'own.js': 'document.documentElement.dataset.own = "ran"',
    'drawing.svg': '<svg xmlns="http://www.w3.org/2000/svg"><script>document.title = "ran"</script></svg>',
  })
  for (const projectId of [manual, services]) await publish(node.client, projectId)
})
after(() => node[Symbol.asyncDispose]())

/** Connects to 127.0.0.1 and sends the name as `Host`, as `fetch` may not resolve names below `localhost`. */
async function ask(address: string, headers: Record<string, string> = {}) {
  const { host, pathname, port } = new URL(address)
  const asked = request({
    host: '127.0.0.1',
    port,
    path: pathname,
    headers: { ...headers, Host: host },
  }).end()
  const [answer] = (await once(asked, 'response')) as [IncomingMessage]
  return { status: answer.statusCode, headers: answer.headers, text: await text(answer) }
}

const addressOf = (host: string, path = '/') => `http://${host}:${new URL(node.url).port}${path}`

/** Collects CSP violations of all pages of the context. Requests to other hosts get a stub response of their type. */
async function watched(browser: Browser): Promise<{ context: BrowserContext; violations: string[] }> {
  const context = await browser.newContext()
  const violations: string[] = []
  await context.exposeFunction('tellViolation', (text: string) => violations.push(text))
  await context.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, documentURI }) => {
      const { tellViolation } = globalThis as unknown as { tellViolation(text: string): void }
      tellViolation(`${violatedDirective}: ${blockedURI} at ${documentURI}`)
    })
  })
  await context.route(/^https:/, (route) => {
    const type = { image: 'image/svg+xml', script: 'text/javascript', document: 'text/html' }
    const contentType = type[route.request().resourceType() as keyof typeof type] ?? 'text/plain'
    const body = contentType === 'image/svg+xml' ? '<svg xmlns="http://www.w3.org/2000/svg"/>' : ''
    return route.fulfill({ contentType, body })
  })
  return { context, violations }
}

browserTest('documentation pages cause no violations of their content security policy', async (browser) => {
  const { context, violations } = await watched(browser)
  try {
    const page = await context.newPage()
    const sitemap = (await ask(addressOf(DOMAIN, '/sitemap.xml'))).text
    const paths = [...sitemap.matchAll(/<loc>https?:\/\/[^/<]+([^<]*)<\/loc>/g)].map(
      ([, path]) => path || '/',
    )
    assert.ok(paths.length > 40, `${paths.length} pages`)
    for (const path of sampleOf(paths, 12)) {
      await page.goto(addressOf(DOMAIN, path), { waitUntil: 'load' })
      await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)))
    }
    assert.deepEqual(violations, [])
  } finally {
    await context.close()
  }
})

browserTest(
  'the CSP allows islands, diagrams, formulas, remote images, frames and integrations',
  async (browser) => {
    const { context, violations } = await watched(browser)
    try {
      const asked = new Set<string>()
      context.on('request', (request) => asked.add(new URL(request.url()).hostname))
      const page = await context.newPage()
      await page.goto(addressOf(SERVICES), { waitUntil: 'load' })
      await page.locator('#count').click()
      await page.locator('#count', { hasText: '1' }).waitFor()
      await page.locator('svg[id^="mermaid"], .mermaid svg, octavo-diagram svg').first().waitFor()
      await page.waitForFunction(() => document.documentElement.dataset.own === 'ran')
      for (const host of ['images.example.com', 'video.example.com', 'www.googletagmanager.com'])
        assert.ok(asked.has(host), `${host} of ${[...asked].join(', ')}`)
      await page.addScriptTag({ content: 'document.documentElement.dataset.inline = "ran"' })
      assert.equal(await page.evaluate(() => document.documentElement.dataset.inline), 'ran')
      assert.deepEqual(violations, [])
    } finally {
      await context.close()
    }
  },
)

browserTest(
  'the CSP blocks plugins, a changed base URL, eval and framing by other origins',
  async (browser) => {
    await using stranger = await startStranger()
    const { context, violations } = await watched(browser)
    try {
      const page = await context.newPage()
      await page.goto(addressOf(SERVICES))
      await page.evaluate(() => {
        document.head.append(Object.assign(document.createElement('base'), { href: 'https://evil.example/' }))
        document.body.append(
          Object.assign(document.createElement('object'), { data: 'https://evil.example/a.swf' }),
          Object.assign(document.createElement('script'), { textContent: 'setTimeout(() => eval("1"))' }),
        )
      })
      assert.ok((await page.evaluate(() => document.baseURI)).startsWith('http://services.localhost'))
      await until(() => violations.length > 2)
      assert.match(violations.join('\n'), /script-src: eval/)
      assert.match(violations.join('\n'), /base-uri: https:\/\/evil\.example/)
      assert.match(violations.join('\n'), /object-src: https:\/\/evil\.example/)
      await page.goto(stranger.url)
      assert.deepEqual(
        page
          .frames()
          .slice(1)
          .map((frame) => frame.url()),
        ['chrome-error://chromewebdata/'],
      )
      await page.goto(addressOf(SERVICES, '/drawing.svg'))
      assert.notEqual(await page.title(), 'ran')
    } finally {
      await context.close()
    }
  },
)

test('a 304 response for an SVG keeps the sandbox directive of its CSP', async () => {
  const first = await ask(addressOf(SERVICES, '/drawing.svg'))
  const { etag } = first.headers
  assert.equal(typeof etag, 'string')
  const again = await ask(addressOf(SERVICES, '/drawing.svg'), { 'If-None-Match': String(etag) })
  assert.deepEqual([first.status, again.status], [200, 304])
  for (const { headers } of [first, again])
    assert.match(String(headers['content-security-policy']), /; sandbox$/)
})

browserTest('a site page cannot access the dashboard with the session of its reader', async (browser) => {
  const email = 'reader@example.com'
  await addPerson(node.node.context.database, { email, organizationId: node.organizationId })
  const { context } = await watched(browser)
  try {
    const page = await context.newPage()
    await page.goto(`${node.url}/sign-in`)
    const signed = await page.evaluate(
      async ([address, password]) =>
        (
          await fetch('/auth/sign-in/email', {
            method: 'POST',
            headers: { 'Content-Type': 'application/json' },
            body: JSON.stringify({ email: address, password }),
          })
        ).status,
      [email, PASSWORD] as const,
    )
    assert.equal(signed, 200)
    await page.goto(addressOf(SERVICES))
    const reached = await page.evaluate(
      async ([dashboard, organization]) => {
        const tries = await Promise.all([
          fetch(`${dashboard}/internal/session`, { credentials: 'include' }).then(
            (r) => r.text(),
            () => 'refused',
          ),
          fetch(`${dashboard}/internal/members`, {
            credentials: 'include',
            headers: { 'Octavo-Organization': organization },
          }).then(
            (r) => r.text(),
            () => 'refused',
          ),
          fetch(`${dashboard}/v1/static-export/jobs`, { credentials: 'include' }).then(
            (r) => r.text(),
            () => 'refused',
          ),
        ])
        const framed = document.createElement('iframe')
        framed.src = `${dashboard}/account`
        const loaded = new Promise((resolve) => framed.addEventListener('load', resolve))
        document.body.append(framed)
        await loaded
        let inside = 'refused'
        try {
          inside = framed.contentDocument?.body.textContent ?? 'refused'
        } catch {}
        return [...tries, inside]
      },
      [node.url, node.organizationId] as const,
    )
    assert.deepEqual(reached, ['refused', 'refused', 'refused', 'refused'])
    // A browser would send the request with this cookie if both hosts shared a domain.
    const cookies = await context.cookies(node.url)
    const sent = await fetch(`${node.url}/internal/sessions`, {
      method: 'DELETE',
      headers: {
        Cookie: cookies.map(({ name, value }) => `${name}=${value}`).join('; '),
        Origin: addressOf(SERVICES).slice(0, -1),
        'Sec-Fetch-Site': 'same-site',
      },
    })
    assert.equal(sent.status, 403)
    assert.match(await sent.text(), /Only pages of this server/)
  } finally {
    await context.close()
  }
})

/** Starts a server on another origin whose page embeds the site in a frame. */
async function startStranger(): Promise<{ url: string } & AsyncDisposable> {
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html')
    response.end(`<iframe id="framed" src="${addressOf(SERVICES)}"></iframe>`)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/`,
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}
