import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { addKey } from '../../src/app/operator/administration.ts'
import type { AgentJob } from '../../src/features/agent/operations/agent.ts'
import { openReviewLink } from '../kit/agent.ts'
import { assertAccessible } from '../kit/axe.ts'
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

/** Returns the frame that shows the site before or after the change. */
async function frameOf(page: Page, side: 'before' | 'after') {
  const frame = await (
    await page.waitForSelector(`iframe[title^="${side === 'before' ? 'Before' : 'After'}: "]`)
  ).contentFrame()
  if (frame === null) throw new Error('no frame')
  await frame.waitForLoadState()
  return frame
}

test('the review page has a strict policy, and its link keeps the token in the URL fragment', async () => {
  const { status, headers } = await fetch(link())
  assert.equal(status, 200)
  const policy = headers.get('content-security-policy') ?? ''
  assert.doesNotMatch(policy, /unsafe|\*|https?:/)
  assert.match(policy, /default-src 'none'.*frame-ancestors 'none'.*require-trusted-types-for 'script'/)
  assert.equal(headers.get('referrer-policy'), 'no-referrer')
  assert.equal(headers.get('x-robots-tag'), 'noindex')
  const { pathname, hash } = new URL(link())
  assert.equal(pathname, `/reviews/${job.id}`)
  assert.match(hash, /^#token=[\w-]{32}$/)
  const old = await fetch(`${scene.agent.octavo.url}${pathname}/${hash.slice(7)}`, { redirect: 'manual' })
  assert.deepEqual([old.status, old.headers.get('location')], [302, pathname + hash])
  assert.equal(old.headers.get('referrer-policy'), 'no-referrer')
})

test('an unknown job and a wrong token get the same 404, and a preview needs its own token', async () => {
  const { url } = scene.agent.octavo
  const { hash } = new URL(link())
  const [id, token] = [job.id, hash.slice(7)]
  const linkOf = (jobId: string, word: string) => `${url}/reviews/${jobId}#token=${word}`
  const { review, pages } = await openReviewLink(url, link())
  assert.doesNotMatch(
    JSON.stringify(review.job.source),
    /\//,
    'the path of the repository on the server is shown',
  )
  const preview = pages.find(({ path }) => path === 'guides/brew.mdx')?.after ?? ''
  const previewToken = preview.split('/')[3] ?? ''
  const answers = new Set<string>()
  for (const [jobId, word] of [
    [id, token.slice(0, -1) + (token.endsWith('A') ? 'B' : 'A')],
    ['aj_nothing', token],
    [id, 'x'],
    [id, ''],
    [id, previewToken],
  ] as const)
    answers.add(
      await openReviewLink(url, linkOf(jobId, word)).then(
        () => 'opened',
        (error: Error) => error.message.replace(/"requestId":"[^"]*"/, ''),
      ),
    )
  assert.equal(answers.size, 1)
  assert.match([...answers].join(), /^404 /)
  assert.equal((await fetch(`${url}/reviews/${id}/${token}/after/guides/brew.html`)).status, 404)
  const page = await scene.agent.octavo.fetch(preview)
  assert.equal(page.status, 200)
  assert.equal(page.headers.get('x-content-type-options'), 'nosniff')
  assert.match(page.headers.get('content-security-policy') ?? '', /^sandbox allow-scripts allow-popups;/)
  for (const path of ['%2e%2e/%2e%2e/etc/passwd', 'nothing.html', '__proto__', 'constructor'])
    assert.equal((await fetch(url + preview.replace('guides/brew.html', path))).status, 404, path)
})

test('a cross-site request cannot open a review', async () => {
  const response = await fetch(`${scene.agent.octavo.url}/internal/review/look-up`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      Origin: 'https://elsewhere.example',
      'Sec-Fetch-Site': 'cross-site',
    },
    body: JSON.stringify({ jobId: job.id, token: new URL(link()).hash.slice(7) }),
  })
  assert.equal(response.status, 403)
})

browserTest('renders hostile titles, prompts, reasons, paths and lines as plain text', async (browser) => {
  await review(browser, async (page) => {
    await page.getByRole('heading', { level: 1, name: 'Boil the water' }).waitFor()
    assert.match(await page.title(), /^Boil the water "'><img src=x/)
    assert.equal(await page.locator('img, b').count(), 0)
    for (const place of ['h1', 'blockquote', 'p[dir=auto]', 'details p[dir=auto]', 'table'])
      assert.match((await page.locator(place).allInnerTexts()).join(), /<img src=x onerror=/, place)
    assert.deepEqual(await page.getByText(/^U\+202[EC]$/).allInnerTexts(), ['U+202E', 'U+202C'])
  })
})

browserTest('a changed line shows its old and new text with the differing words marked', async (browser) => {
  await review(browser, async (page) => {
    const card = page.locator('details', { has: page.getByRole('heading', { name: 'brew.mdx' }) })
    const removed = card.locator('[data-line=removed]')
    assert.match((await removed.textContent()) ?? '', /Use water of 70 degrees\./)
    assert.equal(await removed.locator('del').textContent(), '70')
    assert.equal(await card.locator('[data-line=added] ins').textContent(), '100')
    // Syntax colors appear even if the worker is slow, as on a busy machine.
    await page.route('**/highlight-worker*.js', (route) => setTimeout(4000).then(() => route.continue()))
    await page.reload()
    await card.locator('span[style*="--syntax-keyword"]', { hasText: 'Water' }).first().waitFor()
  })
})

browserTest(
  'shows pages before and after a change, one or both of them, including new pages',
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
      assert.equal(await page.locator('iframe[title^="Before"]').count(), 0)
      await page.getByRole('radio', { name: 'Both' }).check()
      await page.getByRole('combobox', { name: 'Page' }).selectOption('guides/milk.mdx')
      assert.equal(await page.getByText('The page is new.').isVisible(), true)
      assert.equal(await page.locator('iframe[title^="Before"]').count(), 0)
      await page.frameLocator('iframe[title^="After"]').getByText('Milk goes in last.').first().waitFor()
    })
  },
)

browserTest(
  'scripts of a previewed page cannot reach the API, the parent page or any storage',
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

browserTest('the review page is accessible', async (browser) => {
  await review(
    browser,
    async (page) => {
      await page.getByRole('heading', { name: 'Decision' }).waitFor()
      await assertAccessible(page, 'review')
    },
    { bypassCSP: true },
  )
})

browserTest('an invalid link reports that the review cannot be opened', async (browser) => {
  await openPage(browser, `${link().slice(0, -3)}xyz`, {}, async (page) => {
    await page.getByRole('heading', { name: 'This review cannot be opened' }).waitFor()
  })
})

browserTest('a read-only key cannot decide a review, and the page says why', async (browser) => {
  const { octavo } = scene.agent
  const wanted = { organizationId: octavo.organizationId, name: 'reader', scopes: ['read' as const] }
  const { text } = await addKey(octavo.node.context, wanted)
  await review(browser, async (page) => {
    await page.getByLabel('Admin API key').fill(text)
    await page.getByRole('button', { name: 'Accept' }).click()
    await page.getByText('The key needs the scope').waitFor()
    assert.equal(
      await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }])),
      '[{},{}]',
    )
  })
  assert.equal((await octavo.client.getAgentReview(scene.agent.projectId, job.id)).state, 'open')
})

browserTest(
  'declining asks for confirmation by keyboard and leaves the repository unchanged',
  async (browser) => {
    const { octavo, projectId, repository } = scene.agent
    const declined = await scene.propose()
    await openPage(browser, declined.prLink as string, {}, async (page, errors) => {
      await page.getByLabel('Admin API key').fill(octavo.key)
      await page.getByRole('button', { name: 'Decline …' }).press('Enter')
      assert.match((await page.getByRole('dialog').textContent()) ?? '', /Decline this change\?/)
      await page.keyboard.press('Escape')
      assert.equal((await octavo.client.getAgentReview(projectId, declined.id)).state, 'open')
      await page.getByRole('button', { name: 'Decline …' }).press('Enter')
      await page.getByRole('dialog').getByRole('button', { name: 'Decline' }).press('Enter')
      await page.getByText('The change was declined').waitFor()
      assert.deepEqual(
        errors.filter((error) => !/sandboxed|CORS|ERR_FAILED/.test(error)),
        [],
      )
    })
    assert.equal((await octavo.client.getAgentReview(projectId, declined.id)).state, 'closed')
    assert.match(await repository.git('show', 'main:guides/brew.mdx'), /70 degrees/)
  },
)

browserTest('accepting merges the change, and the page confirms it', async (browser) => {
  const { octavo, repository } = scene.agent
  await review(browser, async (page) => {
    await page.getByLabel('Admin API key').fill(octavo.key)
    await page.keyboard.press('Enter')
    await page.getByText('The change is merged into main').waitFor()
    assert.equal(await page.getByLabel('Admin API key').count(), 0)
  })
  assert.match(await repository.git('show', 'main:guides/brew.mdx'), /100 degrees/)
  const again = await fetch(`${octavo.url}/v2/agent/${scene.agent.projectId}/job/${job.id}/decline`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${octavo.key}` },
  })
  assert.equal(again.status, 409)
})
