/** Hostile text in everything the widgets read (input, page content and storage) must never run. */
import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import type { Page } from 'playwright-core'
import { browserTest } from '../kit/browser.ts'
import { HIT, injectionPayloads } from '../kit/payloads.ts'
import { IS_WHOLE } from '../kit/whole-run.ts'
import { type FeedbackScene, openFeedbackScene, openPage } from './feedback-scene.ts'

const PAYLOADS = injectionPayloads(IS_WHOLE ? 1000 : 120)

let scene: FeedbackScene
before(async () => {
  scene = await openFeedbackScene()
  await scene.publish()
})
after(() => scene[Symbol.asyncDispose]())

async function assertNothingRan(page: Page): Promise<void> {
  assert.equal(await page.evaluate((name) => name in globalThis, HIT), false)
  assert.equal(await page.evaluate((name) => name in Object.prototype, HIT), false)
}

/** Blocks requests so that all entries stay in storage. */
async function holdBack(page: Page): Promise<void> {
  await page.route('**/_octavo/feedback', (route) => route.abort())
}

browserTest(
  'hostile text in a code note stays plain text, from the block title to what is stored',
  async (browser) => {
    await openPage(browser, 'about:blank', {}, async (page) => {
      await holdBack(page)
      await page.goto(`${scene.hosted}/code`)
      const wrong = await page.evaluate(async (payloads) => {
        const find = <E extends HTMLElement = HTMLElement>(selector: string) => {
          const element = document.querySelector<E>(selector)
          if (!element) throw new Error(`no ${selector}`)
          return element
        }
        const stored = () => {
          const text = Object.entries(localStorage).find(([key]) => key.startsWith('octavo-feedback '))?.[1]
          return JSON.parse(text ?? '{}').entries.at(-1).body
        }
        const title = find('.code-block-title')
        const code = find('.code-block pre code')
        const faults: string[] = []
        let size = 0
        for (const payload of payloads) {
          title.textContent = payload
          code.textContent = payload
          find('.code-snippet-feedback-button').click()
          const dialog = find('.code-snippet-feedback-popover')
          size ||= dialog.querySelectorAll('*').length
          if (dialog.querySelectorAll('*').length !== size) faults.push(`elements: ${payload}`)
          if (find('.code-snippet-feedback-file').textContent !== payload.trim())
            faults.push(`title: ${payload}`)
          const input = find<HTMLTextAreaElement>('#code-snippet-feedback-textarea')
          input.value = payload
          input.dispatchEvent(new Event('input'))
          const typed = input.value.trim()
          const closed = new Promise((resolve) => dialog.addEventListener('close', resolve))
          find<HTMLFormElement>('.code-snippet-feedback-form').requestSubmit()
          await closed
          const body = stored()
          localStorage.clear()
          if (body.comment !== typed) faults.push(`comment: ${payload}`)
          if (body.code !== payload) faults.push(`code: ${payload}`)
          if (body.filename !== payload.trim()) faults.push(`filename: ${payload}`)
        }
        return faults
      }, PAYLOADS)
      assert.deepEqual(wrong, [])
      await assertNothingRan(page)
    })
  },
)

browserTest(
  'hostile text in the feedback form stays plain text in the page and in what is stored',
  async (browser) => {
    await openPage(browser, 'about:blank', {}, async (page) => {
      await holdBack(page)
      await page.goto(`${scene.hosted}/`)
      const wrong = await page.evaluate(async (payloads) => {
        const find = <E extends HTMLElement = HTMLElement>(selector: string) => {
          const element = document.querySelector<E>(selector)
          if (!element) throw new Error(`no ${selector}`)
          return element
        }
        const faults: string[] = []
        const size = new Set<number>()
        for (const payload of payloads) {
          find('#feedback-thumbs-up').click()
          const form = find<HTMLFormElement>('#feedback-form')
          const comment = find<HTMLTextAreaElement>('#feedback-form-input')
          const email = find<HTMLInputElement>('#feedback-form-email')
          comment.value = payload
          email.value = `${payload}@example.com`
          form.requestSubmit()
          // Most payloads are not valid in an email address: the form is then sent without one.
          if (document.contains(form)) {
            size.add(form.querySelectorAll('*').length)
            email.value = ''
            form.requestSubmit()
          }
          const text = Object.entries(localStorage).find(([key]) => key.startsWith('octavo-feedback '))?.[1]
          const body = JSON.parse(text ?? '{}').entries.at(-1).body
          localStorage.clear()
          if (body.comment !== comment.value.trim()) faults.push(payload)
        }
        return { faults, sizes: size.size }
      }, PAYLOADS)
      assert.deepEqual(wrong, { faults: [], sizes: 1 })
      await assertNothingRan(page)
    })
  },
)

browserTest('hostile storage content does not change the page', async (browser) => {
  await openPage(browser, `${scene.hosted}/`, {}, async (page, errors) => {
    await holdBack(page)
    const markup = () => page.locator('.feedback-toolbar').evaluate((element) => element.outerHTML)
    const before = await markup()
    for (let at = 0; at < PAYLOADS.length; at += 100) {
      await page.evaluate(
        (payloads) => {
          const site = `${location.origin}/`
          const entry = (text: string) => ({
            body: Object.fromEntries(
              'id path reason comment contact code filename lang pageVersion website'
                .split(' ')
                .map((name) => [name, text]),
            ),
            createdAt: text,
            after: 0,
            version: 1,
          })
          const entries = [...payloads.map(entry), null, [], 'x', { body: null }, { body: { id: 1 } }]
          localStorage.setItem(`octavo-feedback ${site}`, JSON.stringify({ entries, tries: 'x', after: 'x' }))
          const votes = Object.fromEntries(
            payloads.map((text) => [`${site}${text}`, { id: text, helpful: text }]),
          )
          sessionStorage.setItem('octavo-votes', JSON.stringify({ ...votes, [`${site}/`]: payloads[0] }))
        },
        PAYLOADS.slice(at, at + 100),
      )
      await page.reload()
      assert.equal(await markup(), before)
    }
    for (const text of ['', '[]', '{"entries":{}}', 'null', '"x', ...PAYLOADS.slice(0, 5)]) {
      await page.evaluate((value) => {
        localStorage.setItem(`octavo-feedback ${location.origin}/`, value)
        sessionStorage.setItem('octavo-votes', value)
      }, text)
      await page.reload()
      assert.equal(await markup(), before)
    }
    await assertNothingRan(page)
    assert.deepEqual(
      errors.filter((error) => !error.includes('ERR_FAILED')),
      [],
    )
  })
})
