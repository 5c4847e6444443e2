/**
 * Tests the page of an agent job in exceptional states: failed, capped, conflicted, merged meanwhile, commented.
 * Real jobs produce each state. OCTAVO_SCREENSHOTS names a folder for screenshots of all states.
 */
import assert from 'node:assert/strict'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before } from 'node:test'
import type { Page } from 'playwright-core'
import { addProject } from '../../src/app/operator/administration.ts'
import { setProject } from '../kit/accounts.ts'
import { DOCS } from '../kit/agent.ts'
import { seriousFaultsInBothSchemes } from '../kit/axe.ts'
import { browserTest } from '../kit/browser.ts'
import { type ForgeServer, startForgeServer } from '../kit/forge-servers/start-forge-server.ts'
import {
  type ChatRequest,
  type ModelServer,
  refuses,
  replies,
  startModelServer,
} from '../kit/model-server.ts'
import { until } from '../kit/until.ts'
import { openWorkScene, type WorkScene } from './dashboard-work-scene.ts'

const BREW = 'guides/brew.mdx'
type Call = { name: string; input: unknown }
type Step = Call[] | 'refuse'

const edit = (oldText: string, newText: string): Call => ({
  name: 'edit_file',
  input: { path: BREW, oldText, newText },
})
const finish = (title: string, more: object = {}): Call => ({
  name: 'finish',
  input: {
    title,
    summary: `${title}.`,
    reasons: [{ path: BREW, reason: 'It told the wrong number.' }],
    ...more,
  },
})
const LOOK: Call = { name: 'list_files', input: {} }

/** Model turns by the beginning of the prompt. */
const SCRIPTS: Record<string, Step[]> = {
  'Only wait': [],
  'Fail halfway': [[edit('70 degrees', '90 degrees')], 'refuse'],
  'The last turn failed': [[finish('Tell the right number')]],
  'Run into the limit': [[edit('70 degrees', '95 degrees')], [LOOK], [LOOK], [LOOK], [LOOK]],
  'Only look around': [[LOOK], [LOOK], [LOOK], [LOOK]],
  'Change the number': [[edit('70 degrees', '100 degrees')], [finish('Tell the right number')]],
  'Others changed': [
    [
      {
        name: 'write_file',
        input: { path: BREW, text: '---\ntitle: Brew\n---\n\n## Water\n\nUse soft water of 100 degrees.\n' },
      },
    ],
    [finish('Bring both numbers together')],
  ],
  'Say how long': [[edit('degrees.', 'degrees, for a minute.')], [finish('Say how long')]],
  'Address the review comments': [
    [edit('degrees', 'degrees Celsius')],
    [finish('Name the unit', { replies: [{ comment: 'line:1', text: 'The unit stands there now.' }] })],
  ],
}

let model: ModelServer
let forge: ForgeServer
let work: WorkScene
let forgeProject = ''
let gate: Promise<void> = Promise.resolve()

before(async () => {
  forge = await startForgeServer('gitea', { files: DOCS })
  model = await startModelServer((request) => async (exchange) => {
    await gate
    if (exchange.gone.aborted) return
    const step = nextStep(request)
    await (step === 'refuse' ? refuses(401, 'no such key') : replies({ toolCalls: step }))(exchange)
  })
  work = await openWorkScene({
    env: {
      OCTAVO_MODEL_URL: model.url,
      OCTAVO_FORGES: `${forge.host}=gitea`,
      OCTAVO_GIT_PRIVATE_HOSTS: '127.0.0.1:*',
      OCTAVO_GIT_TOKENS: `${forge.host}=${forge.token}`,
      OCTAVO_GIT_ALLOW_HTTP: 'true',
      OCTAVO_AGENT_SELF_REVIEW: 'false',
      OCTAVO_AGENT_JOBS: '1',
    },
  })
  const { octavo } = work.agent
  const project = await addProject(octavo.node.context, {
    organizationId: octavo.organizationId,
    name: 'At the forge',
    domains: ['forge.example.com'],
    source: { kind: 'git', repository: forge.address },
  })
  forgeProject = project.id
})
after(async () => {
  await work?.[Symbol.asyncDispose]()
  await model?.[Symbol.asyncDispose]()
  await forge?.[Symbol.asyncDispose]()
})

function nextStep({ messages }: ChatRequest): Step {
  const of = (content: string) => Object.keys(SCRIPTS).find((word) => content.startsWith(word))
  const at = messages.findLastIndex(({ role, content }) => role === 'user' && of(content ?? '') !== undefined)
  const given = messages.slice(at).filter(({ role }) => role === 'assistant').length
  return SCRIPTS[of(messages[at]?.content ?? '') ?? '']?.[given] ?? 'refuse'
}

async function start(prompt: string, projectId = work.projectId): Promise<string> {
  return (await work.agent.octavo.client.createAgentJob(projectId, { prompt })).id
}

async function ended(id: string, projectId = work.projectId): Promise<string> {
  await until(
    async () => (await work.agent.octavo.client.getAgentJob(projectId, id)).status !== 'active',
    'the job is over',
  )
  return (await work.agent.octavo.client.getAgentJob(projectId, id)).status
}

const hrefOf = (id: string, projectId = work.projectId) =>
  `${work.agent.octavo.url}/p/${projectId}/agent/${id}`
const region = (page: Page, name: string) => page.getByRole('region', { name })
const steps = (page: Page) => page.getByRole('list', { name: 'Steps' })

/** Checks that the page fits narrow and wide screens and is accessible in light and dark mode. */
async function lookAll(page: Page, name: string, { reloads = true } = {}): Promise<void> {
  const folder = process.env.OCTAVO_SCREENSHOTS
  for (const width of [390, 1440]) {
    await page.setViewportSize({ width, height: width === 390 ? 844 : 900 })
    const over = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    )
    assert.ok(over <= 0, `${name} is ${over} wider than ${width}`)
    if (folder === undefined) continue
    await mkdir(folder, { recursive: true })
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await page.screenshot({ path: join(folder, `${name}-${width}-${colorScheme}.png`) })
    }
    await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
  }
  // Messages about earlier clicks disappear when the page is reloaded.
  const ready = () => page.getByRole('tab', { name: 'Steps' }).waitFor()
  if (reloads) assert.deepEqual(await seriousFaultsInBothSchemes(page, ready), [])
}

browserTest('a queued job shows how many jobs are ahead of it', async (browser) => {
  await using looking = await work.look(browser, 'editor')
  const { page, errors } = looking
  const { promise, resolve } = Promise.withResolvers<void>()
  gate = promise
  const ids: string[] = []
  for (const number of [1, 2, 3]) ids.push(await start(`Only wait, please: ${number}.`))
  const [, next = '', last = ''] = ids
  const { client } = work.agent.octavo
  const place = async (id: string) => (await client.getAgentJob(work.projectId, id)).queuedBehind
  await until(async () => (await place(last)) === 1, 'the first one is at work')
  await page.goto(hrefOf(last))
  await page.getByText('Queued behind 1 job', { exact: true }).first().waitFor()
  await lookAll(page, 'queued')
  await page.goto(hrefOf(next))
  await page.getByText('Next in the queue', { exact: true }).first().waitFor()
  resolve()
  for (const id of ids) assert.equal(await ended(id), 'failed')
  assert.deepEqual(errors, [])
})

browserTest('a failed job shows why, keeps its changes and continues with one click', async (browser) => {
  await using looking = await work.look(browser, 'editor')
  const { page, errors } = looking
  const id = await start('Fail halfway, please.')
  assert.equal(await ended(id), 'failed')
  await page.goto(hrefOf(id))
  const why = region(page, 'Why it failed')
  await why.getByText(/key/).first().waitFor()
  await using owner = await work.look(browser, 'owner')
  const audit = await owner.ask('GET', `/internal/audit?subject=${id}&action=agent_job.failed`)
  const [audited] = ((await audit.json()) as { rows: { subjectName: string }[] }).rows
  assert.equal(audited?.subjectName, 'Fail halfway, please.', 'a job without a title goes by what was asked')
  await page.getByText('Continues from its changes so far.').waitFor()
  await page.getByRole('complementary').getByText('1 of 50').waitFor()
  await lookAll(page, 'failing')
  await page.getByRole('tab', { name: /^Changes/ }).click()
  await page.locator('[data-line=added]').first().waitFor()
  await page.getByRole('tab', { name: 'Steps' }).click()
  await why.getByRole('button', { name: 'Retry' }).click()
  await steps(page).getByText('Done: 1 file changed').waitFor()
  await region(page, 'Decision').getByText('1 changed file to review.').waitFor()
  assert.equal(await why.count(), 0, 'it still says why it failed')
  assert.deepEqual(errors, [])
  await decline(id)
})

async function decline(id: string): Promise<void> {
  await work.agent.octavo.client.declineAgentJob(work.projectId, id)
}

browserTest(
  'a job at its limit shows what remains, and one without a change links to the limits',
  async (browser) => {
    const { database } = work.agent.octavo.node.context
    const choose = (agent: object) =>
      setProject(database.queries, work.projectId, { agent: { steps: undefined, ...agent } })
    await choose({ steps: 3 })
    await using looking = await work.look(browser, 'admin')
    const { page, errors } = looking
    const id = await start('Run into the limit, please.')
    assert.equal(await ended(id), 'completed')
    await page.goto(hrefOf(id))
    await region(page, 'What remains to be done')
      .getByText(/3 steps/)
      .waitFor()
    await region(page, 'Decision').getByText('1 changed file to review.').waitFor()
    await page.getByRole('progressbar', { name: 'Steps' }).waitFor()
    await lookAll(page, 'capped')
    await decline(id)

    const idle = await start('Only look around, please.')
    assert.equal(await ended(idle), 'failed')
    await page.goto(hrefOf(idle))
    await region(page, 'Why it failed')
      .getByText(/limit of 3 steps/)
      .waitFor()
    await lookAll(page, 'capped-without-change')
    await region(page, 'Why it failed').getByRole('link', { name: 'Model and limits' }).click()
    await page.waitForURL(/\/settings\/agent$/)
    await choose({})
    assert.deepEqual(errors, [])
  },
)

browserTest(
  'a conflicting change is not merged, and the agent resolves the conflict with one click',
  async (browser) => {
    await using looking = await work.look(browser, 'editor')
    const { page } = looking
    const id = await start('Change the number, please.')
    assert.equal(await ended(id), 'completed')
    await work.agent.repository.commit({ [BREW]: DOCS[BREW].replace('Use water', 'Use soft water') })
    await page.goto(hrefOf(id))
    await region(page, 'Decision').getByRole('button', { name: 'Accept …' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Merge' }).click()
    await page.getByText('The change was not merged').waitFor()
    await lookAll(page, 'conflicted', { reloads: false })
    await page.getByRole('button', { name: 'Ask the agent to resolve it' }).click()
    await steps(page).getByText('Merge both changes, keep the intent of each').waitFor()
    await until(async () => (await ended(id)) === 'completed', 'the agent has resolved it')
    await page.reload()
    await lookAll(page, 'conflict-resolved')
    await region(page, 'Decision').getByRole('button', { name: 'Accept …' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Merge' }).click()
    await page
      .getByText('The change is: merged', { exact: false })
      .or(page.getByText('The change is merged'))
      .first()
      .waitFor()
    assert.match(await work.agent.repository.git('show', `main:${BREW}`), /soft water of 100 degrees/)
  },
)

browserTest(
  'a pull request merged while the agent works is followed by a second one, and both are listed',
  async (browser) => {
    await using looking = await work.look(browser, 'editor')
    const { page, errors } = looking
    const id = await start('Change the number, please.', forgeProject)
    assert.equal(await ended(id, forgeProject), 'completed')
    const held = Promise.withResolvers<void>()
    gate = held.promise
    await page.goto(hrefOf(id, forgeProject))
    await region(page, 'Decision').getByRole('link', { name: 'Pull request' }).waitFor()
    await page.getByLabel('Message to the agent').fill('Say how long, please.')
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByText('Working …').waitFor()
    await lookAll(page, 'merged-while-working')
    await forge.merge(1)
    held.resolve()
    assert.equal(await ended(id, forgeProject), 'completed')
    await page.reload()
    await page.setViewportSize({ width: 1440, height: 900 })
    const requests = page.getByRole('complementary').getByRole('link', { name: /octavo\// })
    await requests.nth(1).waitFor()
    assert.equal(await requests.count(), 2)
    await page.getByRole('complementary').getByText('merged').waitFor()
    const decide = region(page, 'Decision').getByRole('link', { name: 'Pull request' })
    assert.equal(
      await decide.getAttribute('href'),
      await requests.nth(1).getAttribute('href'),
      'it leads to the pull request that was merged',
    )
    await lookAll(page, 'merged-meanwhile')
    assert.equal(forge.requests.length, 2)
    assert.deepEqual(errors, [])
  },
)

browserTest(
  'review comments from the forge appear as a turn of their own and are answered',
  async (browser) => {
    await using looking = await work.look(browser, 'viewer')
    const { page, errors } = looking
    const last = forge.requests.length
    const { jobs } = await work.agent.octavo.client.call('listAgentJobs', {
      params: { projectId: forgeProject },
    })
    const id = jobs[0]?.id ?? ''
    forge.say({ request: last, author: 'maintainer', text: 'Degrees of what?', path: BREW, line: 7 })
    await work.agent.octavo.node.context.database.queries
      .updateTable('agent_jobs')
      .set({ look_at: new Date(0) })
      .where('id', '=', id)
      .execute()
    await until(async () => forge.comments.length > 1, 'the comment is answered')
    await ended(id, forgeProject)
    await page.goto(hrefOf(id, forgeProject))
    await steps(page).getByText('Reviewers on the forge').waitFor()
    await steps(page).getByText('Address the review comments').waitFor()
    assert.equal(await page.getByLabel('Message to the agent').count(), 0, 'a viewer may write')
    await lookAll(page, 'commented')
    assert.deepEqual(errors, [])
  },
)
