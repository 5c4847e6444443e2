import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { after, before } from 'node:test'
import type { Locator } from 'playwright-core'
import {
  type Deployment,
  FEATURE_MATRIX,
  FEATURES,
  type Feature,
  type FeatureChoices,
  isBundled,
  resolveFeatures,
} from '../../src/base/api/features.ts'
import { seriousFaultsInBothSchemes } from '../kit/axe.ts'
import { browserTest } from '../kit/browser.ts'
import { HIT, injectionPayloads } from '../kit/payloads.ts'
import { until } from '../kit/until.ts'
import { openWorkScene, type WorkScene } from './dashboard-work-scene.ts'

const PAYLOADS = injectionPayloads(60)
/** File name with a payload. Problems show it, and the broken links in the file, which contain more payloads. */
const FILE_NAME = `guides/<img src=x onerror="window.${HIT}=1">.mdx`

const FILES = {
  'docs.json': JSON.stringify({
    name: 'Tea',
    theme: 'mint',
    colors: { primary: '#16A34A' },
    navigation: { groups: [{ group: 'Start', pages: ['index', 'guides/brew', 'guides/gone'] }] },
  }),
  'index.mdx': '---\ntitle: Welcome\n---\n\nAll about tea.\n\nSee [what is not there](/guides/missing).\n',
  'guides/brew.mdx': '---\ntitle: Brew\n---\n\nUse hot water.\n',
  [FILE_NAME]: `---\ntitle: Hostile\n---\n\n${PAYLOADS.map((text) => `[x](/${encodeURIComponent(text)})`).join('\n\n')}\n\n[y](</a"'><img src=x onerror=window.${HIT}=1>>)\n`,
}

let work: WorkScene
before(async () => {
  work = await openWorkScene({ files: FILES })
})
after(() => work[Symbol.asyncDispose]())

browserTest(
  'configures, starts, follows, inspects and downloads an export by keyboard alone',
  async (browser) => {
    await using looking = await work.look(browser, 'editor')
    const { page, errors } = looking
    await page.goto(work.at('/exports'))
    await page.getByText('No export yet').waitFor()
    await page.keyboard.press('c')
    const dialog = page.getByRole('dialog', { name: 'New export' })
    await dialog.waitFor()
    await dialog.getByRole('radio', { name: /Air-gapped/ }).focus()
    await page.keyboard.press('Space')
    await dialog.getByText('Not part of an air-gapped bundle.').first().waitFor()
    assert.equal(await dialog.getByText('Not part of an air-gapped bundle.').count(), 2)
    for (const name of [/API playground/, /Search/]) await dialog.getByRole('switch', { name }).waitFor()
    assert.equal(await dialog.getByRole('switch').count(), 2)
    await dialog.getByLabel('Label').focus()
    await page.keyboard.type('spring')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/exports\/se_/)
    await page.getByRole('heading', { level: 1, name: 'spring' }).waitFor()
    await page.getByRole('heading', { name: 'The archive' }).waitFor()

    const problem = page
      .getByRole('region', { name: 'index.mdx', exact: true })
      .getByRole('link')
      .filter({ hasText: ':7' })
    await problem.focus()
    await page.keyboard.press('Enter')
    const lines = page.getByRole('region', { name: 'Lines of index.mdx' })
    await lines.locator('[aria-current="true"]').getByText('what is not there').waitFor()
    await page.keyboard.press('Escape')
    await lines.waitFor({ state: 'detached' })

    await page.keyboard.press('d')
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download' }).press('Enter'),
    ])
    const hash = createHash('sha256')
      .update(await readFile(await download.path()))
      .digest('hex')
    assert.match(
      (await page
        .getByText(/sha256sum --check/)
        .first()
        .textContent()) ?? '',
      new RegExp(hash),
    )
    assert.match(download.suggestedFilename(), /^tea\.example\.com-spring-\d{4}-\d\d-\d\d\.tar\.gz$/)
    assert.deepEqual(errors, [])
  },
)

const LABELS: Record<Feature, string> = {
  search: 'Search',
  assistant: 'AI assistant',
  analytics: 'Web analytics',
  playground: 'API playground',
  export: 'Static export bundle',
}
const DEPLOYMENTS = ['cloud', 'client-hosted', 'air-gapped'] as const satisfies Deployment[]

/** Returns the expected state of a feature in a deployment: a switch position, or why there is no switch. */
function cellOf(feature: Feature, deployment: Deployment, chosen: FeatureChoices): string {
  const availability = FEATURE_MATRIX[feature][deployment]
  if (availability === 'configurable' || isBundled(feature, deployment))
    return resolveFeatures(deployment, chosen)[feature] ? 'switched on' : 'switched off'
  return availability === 'yes' ? 'always' : 'never'
}

for (const wanted of [true, false])
  browserTest(
    `the settings and the export form match the feature matrix with choices ${wanted ? 'on' : 'off'}`,
    async (browser) => {
      const chosen: FeatureChoices = {
        ...{ assistant: wanted, analytics: wanted, playground: wanted },
        search: wanted ? 'bundled' : false,
      }
      await using looking = await work.look(browser, 'admin')
      const { page } = looking
      const address = `/internal/projects/${work.projectId}`
      const choose = async (features: object) => {
        const { updatedAt } = (await (await looking.ask('GET', address)).json()) as { updatedAt: string }
        const changed = await looking.ask('PATCH', address, { updatedAt, features })
        assert.equal(changed.status, 200, await changed.text())
      }
      await choose(chosen)
      const said = async (cell: Locator): Promise<string> => {
        const found = cell.getByRole('switch')
        if ((await found.count()) > 0)
          return (await found.getAttribute('aria-checked')) === 'true' ? 'switched on' : 'switched off'
        if ((await cell.getByText('Not part of an air-gapped bundle.').count()) > 0) return 'never'
        const always = cell.getByLabel('always').or(cell.getByText('Always included.'))
        return (await always.count()) > 0 ? 'always' : 'nothing'
      }

      await page.goto(work.at('/settings/features'))
      await page.getByRole('rowheader', { name: 'Search' }).waitFor()
      for (const feature of FEATURES)
        for (const [column, deployment] of DEPLOYMENTS.entries()) {
          const header = page.getByRole('rowheader', { name: LABELS[feature], exact: true })
          const cell = page.getByRole('row').filter({ has: header }).getByRole('cell').nth(column)
          assert.equal(
            await said(cell),
            cellOf(feature, deployment, chosen),
            `settings: ${feature} ${deployment}`,
          )
        }

      await page.goto(work.at('/exports?new=1'))
      const dialog = page.getByRole('dialog', { name: 'New export' })
      for (const deployment of DEPLOYMENTS.slice(1)) {
        await dialog.getByRole('radio', { name: new RegExp(deployment, 'i') }).check()
        for (const feature of FEATURES) {
          // Innermost element with the name of the feature and its switch or reason.
          const row = dialog
            .locator('.divide-y > *')
            .filter({ has: page.getByText(LABELS[feature], { exact: true }) })
          assert.equal(
            await said(row),
            cellOf(feature, deployment, chosen),
            `export: ${feature} ${deployment}`,
          )
        }
      }
      await choose({ search: null, assistant: null, analytics: null, playground: null })
    },
  )

browserTest(
  'an export started by one user appears to another, and a failed one offers to start again',
  async (browser) => {
    await using first = await work.look(browser, 'editor')
    await using second = await work.look(browser, 'viewer')
    await second.page.goto(work.at('/exports'))
    await second.page.getByRole('list', { name: 'Exports' }).waitFor()
    await first.page.goto(work.at('/exports?new=1'))
    await first.page.getByLabel('Label').fill('seen by two')
    await first.page.getByRole('button', { name: 'Start the export' }).click()
    const row = second.page.getByRole('link').filter({ hasText: 'seen by two' })
    await row.waitFor()
    await row.getByText('Ready').waitFor()
    await row.click()
    await second.page.getByRole('heading', { name: 'The archive' }).waitFor()
    assert.equal(await second.page.getByRole('button', { name: 'Create a download link' }).count(), 0)

    await first.page.goto(work.at('/exports?new=1'))
    await first.page.getByLabel('Only these pages').fill('/nowhere')
    await first.page.getByRole('button', { name: 'Start the export' }).click()
    await first.page.getByText('None of these paths is a page of this site').waitFor()
    await first.page.getByRole('link', { name: 'Start another export' }).click()
    await first.page.getByRole('dialog', { name: 'New export' }).waitFor()
  },
)

browserTest(
  'publishing shows content problems to every user, and a problem opens its line',
  async (browser) => {
    await using first = await work.look(browser, 'editor')
    await using second = await work.look(browser, 'viewer')
    await second.page.goto(work.at('/site'))
    await second.page.getByText('Nothing is published yet').waitFor()
    const { page } = first
    await page.goto(work.at('/site'))
    await page.getByRole('button', { name: 'Publish' }).click()
    for (const one of [page, second.page]) await one.getByRole('region', { name: 'index.mdx' }).waitFor()
    await page.getByRole('region', { name: 'index.mdx' }).getByRole('link').first().click()
    await page.getByRole('region', { name: 'Lines of index.mdx' }).getByText('what is not there').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('region', { name: 'Lines of index.mdx' }).waitFor({ state: 'detached' })
  },
)

browserTest(
  "shows a problem in the dashboard language, with the server's message in English",
  async (browser) => {
    await using looking = await work.look(browser, 'viewer', { locale: 'de-DE' })
    const { page, errors } = looking
    await page.goto(work.at('/site'))
    const problem = page.getByRole('region', { name: 'index.mdx' }).getByRole('link').first()
    await problem.getByText('Ein Link führt nirgendwohin.').waitFor()
    assert.match(
      (await problem.locator('[lang="en"]').textContent()) ?? '',
      /does not match any page or file/,
    )
    assert.deepEqual(errors, [])
  },
)

browserTest('renders file names and problem messages as plain text', async (browser) => {
  await using looking = await work.look(browser, 'editor')
  const { page, errors } = looking
  await page.goto(work.at('/site'))
  const hostile = page.getByRole('region', { name: FILE_NAME })
  await hostile.getByRole('link').first().click()
  await page.getByRole('region', { name: `Lines of ${FILE_NAME}` }).waitFor()
  await page.goto(work.at('/exports'))
  await page.getByRole('link').filter({ hasText: 'spring' }).click()
  await hostile.getByRole('link').first().click()
  await page.getByRole('region', { name: `Lines of ${FILE_NAME}` }).waitFor()
  assert.equal(await page.evaluate((name) => (globalThis as never)[name], HIT), undefined)
  assert.equal(await page.locator('main :is(img, script, iframe, object, video, style)').count(), 0)
  assert.deepEqual(errors, [])
})

browserTest('refuses an export while offline and starts it after reconnecting', async (browser) => {
  await using looking = await work.look(browser, 'editor')
  const { page, context } = looking
  await page.goto(work.at('/exports?new=1'))
  await page.getByLabel('Label').fill('after the tunnel')
  await context.setOffline(true)
  await page.getByRole('button', { name: 'Start the export' }).click()
  await page.getByRole('alert').getByText('No connection').waitFor()
  await context.setOffline(false)
  await page.getByText('you cannot make changes until the connection is back').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Start the export' }).click()
  await page.getByRole('heading', { level: 1, name: 'after the tunnel' }).waitFor()
})

browserTest('a plan without exports shows a notice instead of the button', async (browser) => {
  const { node, organizationId } = work.agent.octavo
  const plan = (name: 'free' | 'enterprise') =>
    node.context.database.queries
      .updateTable('organizations')
      .set({ plan: name })
      .where('id', '=', organizationId)
      .execute()
  await plan('free')
  try {
    await using looking = await work.look(browser, 'owner')
    await looking.page.goto(work.at('/exports?new=1'))
    await looking.page.getByText('Static export requires an Enterprise plan').waitFor()
    assert.equal(await looking.page.getByRole('button', { name: 'New export' }).count(), 0)
    assert.equal(await looking.page.getByRole('dialog').count(), 0)
    assert.equal(await looking.page.getByRole('link', { name: 'Plan and limits' }).count(), 2)
  } finally {
    await plan('enterprise')
  }
})

browserTest(
  'export and site pages have no serious accessibility violations and fit a phone screen',
  async (browser) => {
    await using looking = await work.look(browser, 'editor')
    const { page } = looking
    const { client } = work.agent.octavo
    const { deploymentId } = await client.startDeployment(work.projectId)
    const publishes = async () =>
      (await client.getDeployment(work.projectId, deploymentId)).status === 'published'
    await until(publishes, 'the site is published')
    await page.goto(work.at('/exports'))
    const href = (await page.getByRole('link').filter({ hasText: 'spring' }).getAttribute('href')) ?? ''
    const paths: [string, string][] = [
      [work.at('/exports'), 'spring'],
      [work.at('/exports?new=1'), 'Included features'],
      [work.agent.octavo.url + href, 'The archive'],
      [`${work.agent.octavo.url}${href}?file=index.mdx&line=7`, 'what is not there'],
      [work.at('/site'), 'Content problems'],
      [work.at('/site?file=index.mdx&line=7'), 'what is not there'],
    ]
    for (const [address, words] of paths) {
      await page.setViewportSize({ width: 1440, height: 900 })
      await page.goto(address)
      const shown = page.getByText(words).first()
      assert.deepEqual(await seriousFaultsInBothSchemes(page, () => shown.waitFor()), [], address)
      await page.setViewportSize({ width: 390, height: 844 })
      const isNarrow = () => page.evaluate(() => document.documentElement.scrollWidth === 390)
      await until(isNarrow, `${address} is as wide as a phone`)
    }
  },
)
