/** A change from push to rollback: previewed at its pull request, merged, published, rolled back and unpinned. */
import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import type { Page } from 'playwright-core'
import { type ForgeSite, openForgeSite } from '../hosting/forge-site-scene.ts'
import { seriousFaults } from '../kit/axe.ts'
import { browserTest } from '../kit/browser.ts'
import { smallSite } from '../kit/site.ts'
import { until } from '../kit/until.ts'

let site: ForgeSite
before(async () => {
  site = await openForgeSite({ domain: 'docs.localhost', files: smallSite(20) })
})
after(() => site[Symbol.asyncDispose]())

/** Reloads the page until it shows the text. */
async function reads(page: Page, address: string, text: string): Promise<void> {
  await until(async () => {
    const answer = await page.goto(address).catch(() => null)
    return answer?.status() === 200 && (await page.locator('main').textContent())?.includes(text)
  }, `${text} at ${address}`)
}

browserTest(
  'a change is pushed, previewed, merged, rolled back and unpinned on one dashboard',
  async (browser, t) => {
    const { octavo, forge, projectId, admin } = site
    const began = performance.now()
    const note = (what: string) => t.diagnostic(`${Math.round(performance.now() - began)} ms: ${what}`)
    await using context = await browser.newContext({ reducedMotion: 'reduce' })
    await context.addCookies([...admin.cookies].map(([name, value]) => ({ name, value, url: octavo.url })))
    const errors: string[] = []
    const page = await context.newPage()
    page.on('pageerror', (error) => errors.push(String(error)))
    const reader = await context.newPage()
    const live = `http://docs.localhost:${new URL(octavo.url).port}/page-1`
    const deployments = `${octavo.url}/p/${projectId}/deployments`
    const rows = page.getByRole('list', { name: 'Deployments' }).getByRole('listitem')

    await page.goto(deployments)
    await site.push('main', 'the first text')
    await rows.first().getByText('Live', { exact: true }).waitFor()
    await reads(reader, live, 'the first text')
    note('first version live')

    const commit = await site.push('feature', 'the changed text')
    const number = forge.addRequest({ branch: 'feature', target: 'main', isFromFork: false })
    await site.tellRequest({ number, branch: 'feature' })
    await page.getByRole('link', { name: 'Previews' }).click()
    const preview = page.getByRole('list', { name: 'Previews' }).getByRole('listitem').first()
    await preview.getByText('1 changed').filter({ visible: true }).waitFor()
    const address = (await preview.getByRole('link', { name: 'Open' }).getAttribute('href')) ?? ''
    note('preview ready')
    await reads(reader, `${new URL(address).origin}/page-1`, 'the changed text')
    await reads(reader, live, 'the first text')
    await until(
      () => forge.statuses.some((one) => one.commit === commit && one.said.state === 'success'),
      'the status',
    )
    const said = forge.statuses.filter((one) => one.commit === commit).at(-1)?.said
    assert.equal(new URL(String(said?.target_url)).origin, new URL(address).origin)
    const comments = () =>
      forge.comments.filter(({ request, author }) => request === number && author === 'octavo')
    await until(() => comments()[0]?.text.includes(new URL(address).origin) === true, 'the comment')
    note('status and comment at the pull request')
    assert.deepEqual(await seriousFaults(page), [])

    await forge.merge(number)
    await site.tellRequest({ number, branch: 'feature', isMerged: true })
    await page.goto(deployments)
    await rows.nth(1).waitFor()
    await rows.first().getByText('Live', { exact: true }).waitFor()
    await reads(reader, live, 'the changed text')
    note('merged and live')
    await until(
      () => /because the pull request is merged/.test(comments()[0]?.text ?? ''),
      'the end of the preview',
    )
    assert.equal(comments().length, 1, 'one comment is kept up to date')
    assert.equal((await reader.goto(address))?.status(), 404)

    await rows.nth(1).getByRole('link').click()
    const clicked = performance.now()
    await page.getByRole('button', { name: 'Make live' }).click()
    await reads(reader, live, 'the first text')
    note(`rolled back, ${Math.round(performance.now() - clicked)} ms after the click`)
    await page.getByText('A version is pinned').waitFor()

    await site.push('main', 'the text after the rollback')
    await page.goto(deployments)
    await rows.nth(2).waitFor()
    await rows.first().getByText('Ready', { exact: true }).waitFor()
    await reads(reader, live, 'the first text')
    assert.deepEqual(await seriousFaults(page), [])
    await page.getByRole('button', { name: 'Unpin' }).click()
    await rows.first().getByText('Live', { exact: true }).waitFor()
    await reads(reader, live, 'the text after the rollback')
    note('released')
    assert.deepEqual(errors, [])
  },
)
