/** Dashboard pages at widths between phone and desktop, which are also the widths of zoomed pages. */
import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import type { Page } from 'playwright-core'
import { browserTest } from '../kit/browser.ts'
import { tightTexts } from '../kit/tight-text.ts'
import { openWorkScene, type WorkScene } from './dashboard-work-scene.ts'

/** 960 is a window of 1440 px at 150 % zoom. */
const WIDTHS = [820, 1024, 960]
/** Filters and tables scroll on their own at this width. */
const PHONE = 390
/** Minimum visible width of truncated text in px. A name cut shorter is unreadable. */
const LEAST_SHOWN = 56
const LONG_ADDRESS = 'maximiliane.wolfeschlegelsteinhausen@documentation.example.com'
const NAME = 'A key with quite a long name for the robot that deploys the platform'

let work: WorkScene
before(async () => {
  work = await openWorkScene({})
})
after(() => work[Symbol.asyncDispose]())

browserTest(
  'between phone and desktop widths no text is cut to a few letters and no page overflows',
  async (browser) => {
    await using looking = await work.look(browser, 'owner')
    const { page, errors, ask } = looking
    const key = { name: NAME, scopes: ['read', 'write'], expiresInDays: 7, allowList: ['10.0.0.0/8'] }
    assert.equal((await ask('POST', '/internal/api-keys', key)).status, 201)
    for (const email of [LONG_ADDRESS, `another.${LONG_ADDRESS}`])
      assert.equal((await ask('POST', '/internal/invitations', { email, role: 'editor' })).status, 201)
    const { id } = await work.agent.octavo.client.createAgentJob(work.projectId, {
      prompt: `${NAME}. `.repeat(4),
    })
    await work.agent.ended(id)
    await standAt(page, WIDTHS, addressesOf(id))
    await page.setViewportSize({ width: 1024, height: 800 })
    await page.goto(work.at('/agent'))
    const places = page.getByRole('navigation', { name: 'Pages' })
    assert.ok(((await places.boundingBox())?.width ?? 999) < 80, 'the rail is folded')
    await places.getByRole('link', { name: 'Feedback', exact: true }).click()
    await page.waitForURL(/\/feedback$/)
    assert.deepEqual(errors, [])
    // German has the longest labels.
    await using german = await work.look(browser, 'owner', { locale: 'de-DE' })
    await standAt(german.page, [PHONE, 820, 1024], addressesOf(id))
    assert.equal(await german.page.evaluate(() => document.documentElement.lang), 'de')
    assert.deepEqual(german.errors, [])
  },
)

function addressesOf(jobId: string): string[] {
  const { url, organizationId } = work.agent.octavo
  return [
    ...['', '/feedback', '/agent', `/agent/${jobId}`, '/exports', '/site', '/insights', '/settings'].map(
      work.at,
    ),
    ...['keys', 'members', 'plan', 'git', 'audit'].map((name) => `${url}/o/${organizationId}/${name}`),
  ]
}

async function standAt(page: Page, widths: readonly number[], addresses: readonly string[]): Promise<void> {
  for (const width of widths) {
    await page.setViewportSize({ width, height: 800 })
    for (const address of addresses) {
      await page.goto(address)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await page.waitForFunction(() => document.querySelector('main [role="status"][aria-label]') === null)
      assert.deepEqual(await faultsOf(page), [], `${address} at ${width}`)
      assert.deepEqual(await tightTexts(page), [], address)
    }
  }
}

browserTest(
  'a key collapses the navigation on a desktop, and it stays collapsed after a reload',
  async (browser) => {
    await using looking = await work.look(browser, 'viewer')
    const { page } = looking
    const rail = page.getByRole('complementary', { name: 'Navigation' })
    const widthOf = async () => (await rail.boundingBox())?.width ?? 0
    await page.goto(work.at(''))
    await rail.waitFor()
    assert.equal(await widthOf(), 220)
    await page.keyboard.press('[')
    await page.getByRole('button', { name: 'Expand the navigation' }).waitFor()
    await page.reload()
    await rail.waitFor()
    assert.equal(await widthOf(), 56)
    await page.getByRole('button', { name: 'Expand the navigation' }).click()
    await page.getByRole('button', { name: 'Collapse the navigation' }).waitFor()
    assert.equal(await widthOf(), 220)
  },
)

/** Lists texts truncated to almost nothing and content outside the window. Text may collapse to zero width. */
async function faultsOf(page: Page): Promise<string[]> {
  return page.evaluate(
    ([least, phone]) => {
      const faults: string[] = []
      const root = document.documentElement
      if (root.scrollWidth > innerWidth) faults.push(`the page is ${root.scrollWidth} wide`)
      for (const element of document.querySelectorAll<HTMLElement>('main .truncate')) {
        const { width, right } = element.getBoundingClientRect()
        const isCut = element.scrollWidth > element.clientWidth && element.offsetParent !== null
        if (isCut && width > 0 && width < least) faults.push(`${width} px of "${element.textContent}"`)
        if (right > innerWidth + 1 && innerWidth > phone)
          faults.push(`"${element.textContent}" ends at ${right}`)
      }
      return faults
    },
    [LEAST_SHOWN, PHONE] as const,
  )
}
