/** Everyday tasks in the dashboard by keyboard and mouse: triage, agent job, merge, rollback and export. */
import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import { browserTest } from '../kit/browser.ts'
import type { ScriptedAnswer } from '../kit/model-server.ts'
import { fillFeedback } from './dashboard-inbox-scene.ts'
import { openWorkScene, type WorkScene } from './dashboard-work-scene.ts'

const BREW = 'guides/brew.mdx'
const CHANGE: ScriptedAnswer[] = [
  {
    toolCalls: [{ name: 'edit_file', input: { path: BREW, oldText: '70 degrees', newText: '100 degrees' } }],
  },
  {
    toolCalls: [
      {
        name: 'finish',
        input: {
          title: 'Tell the right temperature',
          summary: 'Black tea wants boiling water.',
          reasons: [{ path: BREW, reason: 'The page told the wrong number.' }],
        },
      },
    ],
  },
]

let work: WorkScene
before(async () => {
  work = await openWorkScene({ conversations: { 'right number': CHANGE } })
  await fillFeedback(work.agent.octavo.node.context.database, work.projectId, 60)
})
after(() => work[Symbol.asyncDispose]())

browserTest(
  'triages feedback, hands it to an agent, publishes and rolls back the change, and exports it',
  async (browser) => {
    await using looking = await work.look(browser, 'admin')
    const { page, errors } = looking
    const toast = (text: string) => page.getByRole('list', { name: 'Notifications' }).getByText(text)

    // Publish the first version by keyboard.
    await page.goto(work.at('/deployments'))
    await page.getByText('Nothing published yet').waitFor()
    await page.keyboard.press('c')
    const deployments = page.getByRole('list', { name: 'Deployments' }).getByRole('listitem')
    await deployments.filter({ hasText: 'Live' }).waitFor()

    // Resolve twenty entries by keyboard. The focus stays in the list.
    await page.goto(work.at('/feedback?status=pending&source=any'))
    const rows = page.getByRole('list', { name: 'Feedback' }).getByRole('listitem')
    await rows.first().waitFor()
    await page.keyboard.press('j')
    await page.keyboard.press('x')
    for (let more = 1; more < 20; more++) await page.keyboard.press('Shift+J')
    await page.getByText('20 selected').waitFor()
    await page.keyboard.press('s')
    await page.keyboard.press('3')
    await toast('20 entries resolved').waitFor()
    await page.waitForFunction(() => document.activeElement?.closest('[role="listitem"]') !== null)

    // Pass three entries to the agent by mouse.
    for (const index of [0, 1, 2]) {
      await rows.nth(index).hover()
      await rows.nth(index).getByRole('checkbox').click()
    }
    await page.getByText('3 selected').waitFor()
    await page.getByRole('link', { name: 'Start agent job' }).click()
    await page.getByText('Answers 3 feedback entries').waitFor()
    await page.getByLabel('What should the agent change?').fill('Tell the right number.')
    await page.getByRole('button', { name: 'Start the job' }).click()
    await page.getByRole('button', { name: 'Accept …' }).click()
    // The merge response contains the new state, so the page must not wait for another request.
    const later = Promise.withResolvers<void>()
    await page.route(/\/internal\/projects\/[^/]+\/agent-jobs\/aj_\w+$/, async (route) => {
      await later.promise
      await route.continue()
    })
    await page.getByRole('button', { name: 'Merge' }).click()
    await toast('The change is merged').waitFor()
    await page.getByText('Merged', { exact: true }).first().waitFor()
    assert.equal(await page.getByRole('button', { name: 'Accept …' }).count(), 0)
    later.resolve()

    // The merge is live. Roll back to the previous version from the list, then unpin it.
    await page.keyboard.press('g')
    await page.keyboard.press('d')
    const merged = deployments.filter({ hasText: 'Agent job merged' })
    await merged.filter({ hasText: 'Live' }).waitFor()
    await deployments.getByRole('button', { name: 'Make live' }).first().click()
    await page.getByText('A version is pinned').waitFor()
    await merged.filter({ hasText: 'Ready' }).waitFor()
    await page.getByRole('button', { name: 'Unpin' }).click()
    await merged.filter({ hasText: 'Live' }).waitFor()

    // Start an export with the command palette of another page. The archive is named after the site.
    await page.keyboard.press('Control+k')
    await page.keyboard.type('start an export')
    await page.keyboard.press('Enter')
    await page
      .getByRole('dialog', { name: 'New export' })
      .getByRole('button', { name: 'Start the export' })
      .click()
    await page.getByRole('heading', { name: 'The archive' }).waitFor()
    await page.keyboard.press('d')
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download' }).press('Enter'),
    ])
    assert.match(download.suggestedFilename(), /^[\w.-]+-\d{4}-\d\d-\d\d\.tar\.gz$/)

    // An error shows its request ID and disappears when the page changes.
    await page.goto(work.at('/deployments'))
    await page.route(/\/v1\/.*deployments/, (route) =>
      route.request().method() === 'POST'
        ? route.fulfill({
            status: 500,
            contentType: 'application/json',
            headers: { 'x-request-id': 'req_for_support' },
            body: JSON.stringify({ error: { code: 'internal', message: 'Something failed.' } }),
          })
        : route.continue(),
    )
    await page.getByRole('button', { name: 'Publish' }).click()
    await toast('The site was not published').waitFor()
    await page.keyboard.press('g')
    await page.keyboard.press('e')
    await page.getByRole('heading', { level: 1, name: 'Exports' }).waitFor()
    await toast('The site was not published').waitFor({ state: 'detached' })
    assert.deepEqual(
      errors.filter((error) => !error.includes('500')),
      [],
    )
  },
)
