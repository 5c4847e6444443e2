/** Feedback widgets on a hosted page: mouse, keyboard, ARIA roles, page loads and rate limits. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, beforeEach, test } from 'node:test'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { createChallenge, isProofValid } from '../../src/features/feedback/intake/proof-of-work.ts'
import { solveChallenge } from '../../web/reader/proof-of-work.ts'
import { browserTest } from '../kit/browser.ts'
import { type FeedbackScene, openFeedbackScene, openPage } from './feedback-scene.ts'

let scene: FeedbackScene
before(async () => {
  scene = await openFeedbackScene()
  await scene.publish()
})
beforeEach(() => scene.clear())
after(() => scene[Symbol.asyncDispose]())

/** Opens a page of the hosted site. Fails on console errors. */
async function withPage(
  browser: Browser,
  path: string,
  act: (page: Page) => Promise<void>,
  options: BrowserContextOptions = {},
): Promise<void> {
  await openPage(browser, scene.hosted + path, options, async (page, errors) => {
    await act(page)
    assert.deepEqual(errors, [])
  })
}

const toolbar = (page: Page) => page.getByRole('region', { name: 'Feedback' })
const thumb = (page: Page, name: 'Yes' | 'No') => toolbar(page).getByRole('button', { name, exact: true })

browserTest(
  'clicking a thumb votes, the other thumb changes the vote and undo removes it',
  async (browser) => {
    await withPage(browser, '/', async (page) => {
      await thumb(page, 'Yes').click()
      const [entry] = await scene.entriesUntil(({ length }) => length === 1)
      assert.equal(entry?.source, 'thumbs_only')
      assert.equal(entry?.path, '/')
      assert.equal(entry?.helpful, true)
      assert.equal(await thumb(page, 'Yes').getAttribute('aria-pressed'), 'true')
      const detail = await scene.node.client.getFeedback(scene.projectId, entry?.id ?? '')
      assert.match(detail.pageVersion ?? '', /^content:[0-9a-f]{64}$/)

      await page.getByRole('radio', { name: 'Good examples' }).check()
      await thumb(page, 'No').click()
      await page.getByRole('group', { name: 'What went wrong?' }).waitFor()
      assert.equal(await page.getByRole('radio', { name: 'Good examples' }).count(), 0)
      await scene.entriesUntil(([first]) => first?.helpful === false)
      assert.equal((await scene.entries()).length, 1)

      await page.locator('#feedback-form-input').fill('On second thought')
      await page.locator('#feedback-form-submit').click()
      await page.getByRole('button', { name: 'Undo' }).click()
      await scene.entriesUntil(({ length }) => length === 0)
      assert.equal(await thumb(page, 'No').getAttribute('aria-pressed'), 'false')
      assert.equal(await page.evaluate(() => document.activeElement?.id), 'feedback-thumbs-down')
      await thumb(page, 'Yes').click()
      await page.locator('#feedback-form-input').press('Escape')
      await page.locator('#feedback-form').waitFor({ state: 'detached' })
      assert.equal((await scene.entriesUntil(({ length }) => length === 1))[0]?.source, 'thumbs_only')
      await page.getByRole('button', { name: 'Undo' }).click()
      await scene.entriesUntil(({ length }) => length === 0)
    })
  },
)

browserTest(
  'a comment after a vote is added to that vote, even when sent from the next page',
  async (browser) => {
    await withPage(browser, '/', async (page) => {
      await page.locator('#feedback-thumbs-down').click()
      const [vote] = await scene.entriesUntil(({ length }) => length === 1)
      await page.getByRole('radio', { name: 'Something is missing' }).check()
      await page.getByLabel('Tell us more (optional)').fill('  Where is <b>the rest</b>?\nHere. ')
      await page.getByLabel('E-mail, if you want an answer (optional)').fill('reader@example.com')
      await page.getByRole('button', { name: 'Send' }).click()
      await page.getByText('Thank you for your feedback.').first().waitFor()
      // The form is held so that it can be undone. Loading the next page sends it right away.
      await page.goto(`${scene.hosted}/code`)
      const [entry] = await scene.entriesUntil(([first]) => first?.source === 'contextual')
      assert.deepEqual(entry, {
        ...vote,
        source: 'contextual',
        helpful: false,
        contact: 'reader@example.com',
        comment: 'Where is <b>the rest</b>?\nHere.',
        reason: 'Something is missing',
      })
      await page.waitForFunction(() => !Object.values(localStorage).some((text) => text.includes('comment')))
      assert.equal((await scene.entries()).length, 1)
    })
  },
)

browserTest('a vote is shown after a reload, and a later comment is added to it', async (browser) => {
  await withPage(browser, '/guides/50%25%20off', async (page) => {
    await thumb(page, 'No').click()
    const [vote] = await scene.entriesUntil(({ length }) => length === 1)
    assert.equal(vote?.path, '/guides/50% off')
    await page.reload()
    assert.equal(await thumb(page, 'No').getAttribute('aria-pressed'), 'true')
    await thumb(page, 'No').click()
    await page.locator('#feedback-form-input').fill('Still no')
    await page.locator('#feedback-form-submit').click()
    await page.reload()
    const [entry] = await scene.entriesUntil(([first]) => first?.comment === 'Still no')
    assert.equal(entry?.id, vote?.id)
    assert.equal((await scene.entries()).length, 1)
  })
})

browserTest('the feedback form works by keyboard and announces errors and success', async (browser) => {
  await withPage(browser, '/', async (page) => {
    await thumb(page, 'Yes').focus()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    const focused = () => page.evaluate(() => (document.activeElement as HTMLInputElement | null)?.value)
    assert.equal(await focused(), 'Something is missing')
    await page.keyboard.press('ArrowRight')
    assert.equal(await focused(), 'Hard to understand')
    await page.keyboard.press('Tab')
    await page.keyboard.type('Too long')
    await page.keyboard.press('Tab')
    await page.keyboard.type('no address')
    await page.keyboard.press('Enter')
    const email = page.getByRole('textbox', { name: 'E-mail' })
    assert.match(String(await page.getByRole('alert').textContent()), /name@example\.com/)
    assert.equal(await email.getAttribute('aria-invalid'), 'true')
    assert.equal(await email.evaluate((field) => field === document.activeElement), true)
    await page.keyboard.press('Control+A')
    await page.keyboard.type('reader@example.com')
    assert.equal(await page.getByRole('alert').count(), 0)
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.waitForFunction(
      () => document.querySelector('#octavo-status')?.textContent === 'Thank you for your feedback.',
    )
    assert.equal(
      await page.evaluate(() => document.activeElement?.textContent),
      'Thank you for your feedback.',
    )
    await page.keyboard.press('Tab')
    assert.equal(await page.evaluate(() => document.activeElement?.textContent), 'Undo')
    await page.reload()
    const [entry] = await scene.entriesUntil(([first]) => first?.comment === 'Too long')
    assert.equal(entry?.reason, 'Hard to understand')
  })
})

browserTest(
  'opening the form shifts nothing above it, and on a phone all touch targets are large',
  async (browser) => {
    const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }
    await withPage(
      browser,
      '/',
      async (page) => {
        const top = () =>
          page.locator('#content').evaluate((element) => element.getBoundingClientRect().top + scrollY)
        const before = await top()
        await page.locator('#feedback-thumbs-up').tap()
        await page.locator('#feedback-form').waitFor()
        assert.equal(await top(), before)
        const small = await page
          .locator('.feedback-toolbar :is(button, textarea, input[type=email], label:has(input))')
          .evaluateAll((all) =>
            all.filter((one) => one.getBoundingClientRect().height < 44).map((one) => one.outerHTML),
          )
        assert.deepEqual(small, [])
        assert.equal(
          await page.evaluate(
            () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
          ),
          0,
        )
      },
      phone,
    )
  },
)

browserTest('a note on a code block includes its code verbatim', async (browser) => {
  await withPage(browser, '/code', async (page) => {
    const buttons = page.getByRole('button', { name: 'Feedback on this code' })
    assert.equal(await buttons.count(), 3)
    await buttons.first().click()
    const dialog = page.getByRole('dialog', { name: 'Feedback on this code' })
    await dialog.getByRole('button', { name: 'Send' }).click()
    assert.match(String(await dialog.getByRole('alert').textContent()), /few words/)
    await dialog.getByRole('textbox', { name: 'What should we know about this code?' }).fill('Two spaces?')
    await dialog.getByRole('button', { name: 'Send' }).click()
    await dialog.waitFor({ state: 'detached' })
    const [entry] = await scene.entriesUntil(({ length }) => length === 1)
    assert.equal(entry?.source, 'code_snippet')
    assert.deepEqual(
      { ...entry, id: '', createdAt: '' },
      {
        id: '',
        createdAt: '',
        path: '/code',
        source: 'code_snippet',
        status: 'pending',
        comment: 'Two spaces?',
        code: "const a = '<b>'\nconst  b = 1",
        filename: 'src/client.ts',
        lang: 'ts',
        reason: null,
      },
    )
    await page.locator('.code-block').nth(1).hover()
    await page.locator('.code-snippet-feedback-button').nth(1).click()
    await page.locator('#code-snippet-feedback-textarea').fill('Hm')
    await page.locator('.code-snippet-feedback-form .button').click()
    const [bare] = await scene.entriesUntil(({ length }) => length === 2)
    assert.ok(bare?.source === 'code_snippet')
    assert.deepEqual([bare.code, bare.filename, bare.lang], ['plain words', null, null])
  })
})

browserTest(
  'a note on a code group takes the selected block by keyboard, and a closed draft is kept',
  async (browser) => {
    await withPage(browser, '/code', async (page) => {
      await page.getByRole('tab', { name: 'pnpm' }).click()
      const button = page.locator('.code-group .code-snippet-feedback-button')
      await button.press('Enter')
      await page.keyboard.type('Half a')
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      assert.equal(await button.evaluate((element) => element === document.activeElement), true)
      await page.keyboard.press('Enter')
      assert.equal(await page.getByRole('textbox').last().inputValue(), 'Half a')
      await page.keyboard.press('End')
      await page.keyboard.type(' thought')
      await page.keyboard.press('Control+Enter')
      const [entry] = await scene.entriesUntil(({ length }) => length === 1)
      assert.equal(entry?.source === 'code_snippet' && entry.code, 'pnpm add acme')
      assert.equal(entry?.source === 'code_snippet' && entry.filename, 'pnpm')
      assert.equal(entry?.comment, 'Half a thought')
    })
  },
)

browserTest('a submission with the honeypot field filled in is accepted but discarded', async (browser) => {
  await withPage(browser, '/', async (page) => {
    await thumb(page, 'No').click()
    await scene.entriesUntil(({ length }) => length === 1)
    const trap = page.locator('input[name=website]')
    assert.equal(await page.getByRole('textbox').count(), 2, 'it is in no tree of roles')
    await trap.evaluate((field: HTMLInputElement) => {
      field.value = 'https://spam.test'
    })
    await page.locator('#feedback-form-input').fill('Buy')
    await page.locator('#feedback-form-submit').click()
    const answer = page.waitForResponse((response) => response.request().method() === 'POST')
    await page.reload()
    assert.equal((await answer).status(), 201)
    assert.equal((await scene.entries())[0]?.source, 'thumbs_only')
  })
})

browserTest('solves the challenge of a 429 response and sends the proof', async (browser) => {
  await openPage(browser, `${scene.hosted}/`, {}, async (page) => {
    const secret = 'of the test'
    let asked = ''
    let proven: { id: string; proof: { challenge: string; nonce: string } } | null = null
    await page.route('**/_octavo/feedback', async (route) => {
      const body = route.request().postDataJSON() as {
        id: string
        proof?: { challenge: string; nonce: string }
      }
      if (body.proof) {
        proven = { id: body.id, proof: body.proof }
        await route.fulfill({ status: 201, json: { id: 'fb_1', source: 'thumbs_only' } })
        return
      }
      asked = createChallenge(secret, { siteId: 's', clientId: body.id, bits: 18 }, Date.now())
      await route.fulfill({ status: 429, headers: { 'Octavo-Challenge': `"${asked}";bits=18` }, json: {} })
    })
    const answered = page.waitForResponse((response) => response.status() === 201)
    await thumb(page, 'Yes').click()
    await answered
    assert.ok(proven)
    const { id, proof } = proven as { id: string; proof: { challenge: string; nonce: string } }
    assert.equal(isProofValid(secret, proof, { siteId: 's', clientId: id }, Date.now()), true)
  })
})

// The first solution is attempt 21,255,220, which takes many seconds.
const LONG_WORK = '"no-way-out";bits=24'

browserTest('a page stays usable while it solves a challenge', async (browser) => {
  await openPage(browser, `${scene.hosted}/`, {}, async (page) => {
    let asked = 0
    let proven = 0
    await page.route('**/_octavo/feedback', async (route) => {
      if ((route.request().postDataJSON() as { proof?: unknown }).proof) proven++
      else asked++
      await route.fulfill({ status: 429, headers: { 'Octavo-Challenge': LONG_WORK }, json: {} })
    })
    const refused = page.waitForResponse((response) => response.status() === 429)
    await thumb(page, 'Yes').click()
    await refused
    await page.locator('#feedback-form-input').fill('In the meantime')
    await page.getByRole('radio', { name: 'Good examples' }).check()
    assert.equal(await page.locator('#feedback-form-input').inputValue(), 'In the meantime')
    assert.deepEqual([asked > 0, proven], [true, 0])
  })
})

test('solving a challenge pauses between slices of work', async () => {
  const paused = async () => {
    throw new Error('a pause')
  }
  await assert.rejects(solveChallenge({ challenge: 'no-way-out', bits: 24 }, paused), /a pause/)
})

test('the challenge hash is SHA-256 for challenges of any length', async () => {
  for (let length = 1; length <= 140; length += 3) {
    const challenge = 'x'.repeat(length)
    const nonce = await solveChallenge({ challenge, bits: 9 }, async () => {})
    const digest = createHash('sha256').update(`${challenge}:${nonce}`).digest()
    assert.ok(digest.readUInt16BE(0) < 2 ** 7, `${length}: ${digest.toString('hex')}`)
  }
})
