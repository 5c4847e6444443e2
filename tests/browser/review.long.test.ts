/** The review page: what it shows, what it lets nobody do, and the decision, with mouse and keyboard. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { after, before, test } from 'node:test'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { addKey } from '../../src/app/operator/administration.ts'
import type { AgentJob } from '../../src/features/agent/operations/agent.ts'
import { browserTest } from '../kit/browser.ts'
import { openPage } from './feedback-scene.ts'
import { openReviewScene, type ReviewScene } from './review-scene.ts'

let scene: ReviewScene
let job: AgentJob
before(async () => {
  scene = await openReviewScene()
  job = await scene.propose()
})
after(() => scene[Symbol.asyncDispose]())

const link = () => job.prLink as string

function review(
  browser: Browser,
  act: (page: Page, errors: readonly string[]) => Promise<void>,
  options: BrowserContextOptions = {},
): Promise<void> {
  return openPage(browser, link(), { viewport: { width: 1280, height: 900 }, ...options }, act)
}

/** The page of the site in one of the two frames. */
async function frameOf(page: Page, side: 'before' | 'after') {
  const frame = await (await page.waitForSelector(`.previews .${side} iframe`)).contentFrame()
  if (frame === null) throw new Error('no frame')
  await frame.waitForLoadState()
  return frame
}

test('the page comes with a policy without exceptions, is kept nowhere and tells nobody its address', async () => {
  const { status, headers } = await scene.agent.octavo.fetch(link())
  assert.equal(status, 200)
  const policy = headers.get('content-security-policy') ?? ''
  assert.doesNotMatch(policy, /unsafe|\*|https?:|data:/)
  assert.match(policy, /default-src 'none'.*frame-ancestors 'none'/)
  assert.equal(headers.get('cache-control'), 'private, no-store')
  assert.equal(headers.get('referrer-policy'), 'no-referrer')
  assert.equal(headers.get('x-robots-tag'), 'noindex')
  const second = await fetch(link())
  assert.notEqual(
    second.headers.get('content-security-policy'),
    policy,
    'the word of the policy is new each time',
  )
})

test('an unknown job and a wrong token get the same page, and a preview needs its own token', async () => {
  const { origin, pathname } = new URL(link())
  const [, , id, token = ''] = pathname.split('/')
  const wrong = [
    `/reviews/${id}/${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`,
    `/reviews/aj_nothing/${token}`,
    `/reviews/${id}/x`,
  ]
  const bodies = new Set<string>()
  for (const path of wrong) {
    const response = await scene.agent.octavo.fetch(path)
    assert.equal(response.status, 404)
    bodies.add((await response.text()).replace(/nonce="[\w-]+"/g, ''))
  }
  assert.equal(bodies.size, 1)
  assert.equal((await scene.agent.octavo.fetch(`${link()}/after/guides/brew.html`)).status, 404)
  const [preview = ''] =
    /\/reviews\/\w+\/[\w-]+\/after\/guides\/brew\.html/.exec(await (await fetch(link())).text()) ?? []
  const page = await scene.agent.octavo.fetch(preview)
  assert.equal(page.status, 200)
  assert.equal(page.headers.get('x-content-type-options'), 'nosniff')
  assert.match(page.headers.get('content-security-policy') ?? '', /^sandbox allow-scripts allow-popups;/)
  const previewToken = preview.split('/')[3]
  assert.equal((await fetch(`${origin}/reviews/${id}/${previewToken}`)).status, 404, 'it opens no review')
  for (const path of ['%2e%2e/%2e%2e/etc/passwd', 'nothing.html', '__proto__', 'constructor'])
    assert.equal(
      (await scene.agent.octavo.fetch(preview.replace('guides/brew.html', path))).status,
      404,
      path,
    )
})

browserTest('hostile titles, prompts, reasons, paths and lines are shown as text', async (browser) => {
  await review(browser, async (page) => {
    assert.match(await page.title(), /^Boil the water "'><img src=x/)
    assert.equal(await page.locator('img, b, script:not([src])').count(), 0)
    for (const place of ['h1', '.summary', '.prompts', '.reason', '.diff'])
      assert.match(
        await page
          .locator(place)
          .allInnerTexts()
          .then((all) => all.join()),
        /<img src=x onerror=/,
        place,
      )
    assert.deepEqual(await page.locator('.unseen').allInnerTexts(), ['U+202E', 'U+202C'])
  })
})

browserTest('a change of a line shows what went, what came and the words that differ', async (browser) => {
  await review(browser, async (page) => {
    const card = page.locator('.file', { has: page.locator('h3', { hasText: 'brew.mdx' }) })
    assert.equal(await card.locator('tr.removed .text').textContent(), 'Use water of 70 degrees.')
    assert.equal(await card.locator('tr.removed del').textContent(), '70')
    assert.equal(await card.locator('tr.added ins').textContent(), '100')
  })
})

browserTest(
  'pages are shown before and after, one of them or both, also those that are new',
  async (browser) => {
    await review(browser, async (page) => {
      assert.match(
        (await (await frameOf(page, 'before')).locator('main, body').first().textContent()) ?? '',
        /70 degrees/,
      )
      assert.match(
        (await (await frameOf(page, 'after')).locator('main, body').first().textContent()) ?? '',
        /100 degrees/,
      )
      await page.getByRole('radio', { name: 'After' }).check()
      assert.equal(await page.locator('.previews .before').isVisible(), false)
      await page.getByRole('radio', { name: 'Both' }).check()
      await page.getByRole('combobox', { name: 'Page' }).selectOption('guides/milk.mdx')
      assert.equal(await page.getByText('The page is new.').isVisible(), true)
      assert.equal(await page.locator('.previews .before iframe').isVisible(), false)
      await page.frameLocator('.previews .after iframe').getByText('Milk goes in last.').first().waitFor()
    })
  },
)

browserTest(
  'scripts of a previewed page reach neither the API, nor the page around it, nor any storage',
  async (browser) => {
    await review(browser, async (page) => {
      const frame = await frameOf(page, 'after')
      await frame.waitForFunction(() => /api: /.test(document.documentElement.dataset.probe ?? ''))
      const told = await frame.evaluate(() => document.documentElement.dataset.probe)
      assert.equal(
        told,
        'origin: null | storage: closed | cookie: closed | parent: closed | top: closed | api: closed',
      )
      assert.equal(page.url(), link())
      await page.goto(frame.url())
      await page.waitForFunction(() => /api: /.test(document.documentElement.dataset.probe ?? ''))
      assert.match(
        (await page.evaluate(() => document.documentElement.dataset.probe)) ?? '',
        /^origin: null .* api: closed$/,
      )
    })
  },
)

for (const colorScheme of ['light', 'dark'] as const) {
  for (const width of [1280, 390]) {
    browserTest(`nothing stands in the way of anybody, ${colorScheme}, ${width} wide`, async (browser) => {
      await review(
        browser,
        async (page) => {
          const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js')
          await page.evaluate(await readFile(axe, 'utf8'))
          const found = await page.evaluate(async () => {
            const { axe } = globalThis as unknown as {
              axe: { run(context: object): Promise<{ violations: Violation[] }> }
            }
            interface Violation {
              id: string
              nodes: { html: string }[]
            }
            const { violations } = await axe.run({ exclude: [['iframe']] })
            return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
          })
          assert.deepEqual(found, [])
          assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), width)
        },
        { colorScheme, viewport: { width, height: 844 }, bypassCSP: true },
      )
    })
  }
}

browserTest('without JavaScript the page can be read, and says how to decide', async (browser) => {
  await review(
    browser,
    async (page) => {
      assert.equal(await page.locator('#decision-form').isVisible(), false)
      assert.match((await page.locator('#decision').textContent()) ?? '', /The form needs JavaScript/)
      await page.getByText('From a command line').click()
      assert.match(
        (await page.locator('#decision').textContent()) ?? '',
        new RegExp(`octavo agent accept ${job.id} --project`),
      )
      assert.equal(await page.getByRole('link', { name: 'After', exact: true }).count(), 3)
    },
    { javaScriptEnabled: false },
  )
})

browserTest('a key that may only read decides nothing, and the page says why', async (browser) => {
  const { octavo } = scene.agent
  const wanted = { organizationId: octavo.organizationId, name: 'reader', scopes: ['read' as const] }
  const { text } = await addKey(octavo.node.context, wanted)
  await review(browser, async (page) => {
    await page.getByLabel('Admin API key').fill(text)
    await page.getByRole('button', { name: 'Accept' }).click()
    await page.getByRole('alert').getByText('The key needs the scope').waitFor()
    assert.equal(
      await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }])),
      '[{},{}]',
    )
  })
  assert.equal((await octavo.client.getAgentReview(scene.agent.projectId, job.id)).state, 'open')
})

browserTest(
  'declining asks first, by keyboard too, and then leaves everything as it was',
  async (browser) => {
    const { octavo, projectId, repository } = scene.agent
    const declined = await scene.propose()
    await openPage(browser, declined.prLink as string, {}, async (page, errors) => {
      await page.getByLabel('Admin API key').fill(octavo.key)
      await page.getByRole('button', { name: 'Decline…' }).press('Enter')
      assert.match((await page.getByRole('dialog').textContent()) ?? '', /Decline “Boil the water/)
      await page.keyboard.press('Escape')
      assert.equal((await octavo.client.getAgentReview(projectId, declined.id)).state, 'open')
      await page.getByRole('button', { name: 'Decline…' }).press('Enter')
      await page.getByRole('dialog').getByRole('button', { name: 'Decline' }).press('Enter')
      await page.getByText('Declined.').waitFor()
      assert.deepEqual(
        errors.filter((error) => !/sandboxed|CORS|ERR_FAILED/.test(error)),
        [],
      )
    })
    assert.equal((await octavo.client.getAgentReview(projectId, declined.id)).state, 'closed')
    assert.match(await repository.git('show', 'main:guides/brew.mdx'), /70 degrees/)
  },
)

browserTest('accepting merges the change, and the page says so', async (browser) => {
  const { octavo, repository } = scene.agent
  await review(browser, async (page) => {
    await page.getByLabel('Admin API key').fill(octavo.key)
    await page.keyboard.press('Enter')
    await page.getByText('Accepted.').waitFor()
    assert.equal(await page.locator('#decision-form').count(), 0)
  })
  assert.match(await repository.git('show', 'main:guides/brew.mdx'), /100 degrees/)
  const again = await fetch(`${octavo.url}/v2/agent/${scene.agent.projectId}/job/${job.id}/decline`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${octavo.key}` },
  })
  assert.equal(again.status, 409)
})
