/** The inbox of feedback in a real browser, on a real node: found, read, sorted out, by several people at once. */
import assert from 'node:assert/strict'
import { after, before, beforeEach } from 'node:test'
import { browserTest } from '../kit/browser.ts'
import { until } from '../kit/until.ts'
import { detail, type InboxScene, idOf, openInboxScene, row } from './dashboard-inbox-scene.ts'

let inbox: InboxScene
before(async () => {
  inbox = await openInboxScene()
})
after(() => inbox[Symbol.asyncDispose]())
beforeEach(() => inbox.clear())

const JOB = `aj_${'7'.padStart(26, '0')}`
const statusOf = async (number: number) =>
  (await inbox.scene.node.client.getFeedback(inbox.projectId, idOf(number))).status

browserTest('an entry opens beside the list, with its page and the very code block', async (browser) => {
  await inbox.fill(30)
  await inbox.scene.node.node.context.database.queries
    .insertInto('feedback_changes')
    .values({
      feedback_id: idOf(10),
      actor: 'agent:aj_01',
      from_status: 'in_progress',
      to_status: 'pending',
      note: `Agent job ${JOB} did not answer it.`,
    })
    .execute()
  await using looking = await inbox.look(browser, 'editor')
  const { page, errors } = looking
  await page.goto(inbox.at('/feedback'))
  await row(page, 'Entry number 10').getByRole('link').click()
  await detail(page).getByText('Entry number 10').waitFor()
  assert.match(page.url(), new RegExp(`entry=${idOf(10)}$`))
  await detail(page).getByText('src/client.ts').first().waitFor()
  assert.match((await detail(page).textContent()) ?? '', /const a = '<b>'/)
  const job = detail(page).getByRole('link', { name: 'An agent job' })
  assert.equal(await job.getAttribute('href'), `/p/${inbox.projectId}/agent/aj_01`)
  const named = detail(page).getByText('Agent job …000007 did not answer it.').getByRole('link')
  assert.equal(await named.getAttribute('href'), `/p/${inbox.projectId}/agent/${JOB}`)
  const link = detail(page).getByRole('link', { name: 'Open the page' })
  assert.equal(await link.getAttribute('href'), `${inbox.scene.hosted}/code`)
  await detail(page).getByRole('button', { name: 'Read its text here' }).click()
  await detail(page).getByRole('region', { name: 'Text of the page' }).getByText('plain words').waitFor()
  await page.reload()
  await detail(page).getByText('Entry number 10').waitFor()
  await page.keyboard.press('Escape')
  await detail(page).waitFor({ state: 'detached' })
  assert.equal(new URL(page.url()).search, '')
  assert.deepEqual(errors, [])
})

browserTest('the whole triage goes by keyboard alone', async (browser) => {
  await inbox.fill(30)
  await using looking = await inbox.look(browser, 'editor')
  const { page, errors } = looking
  await page.goto(inbox.at('/feedback'))
  await row(page, 'Entry number 1').first().waitFor()

  await page.keyboard.press('j')
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  await detail(page).getByText('Entry number 2').waitFor()
  await page.keyboard.press('s')
  await page.getByRole('dialog').getByRole('button', { name: 'Resolved' }).waitFor()
  await page.keyboard.press('3')
  await detail(page).getByText('Entry number 3').waitFor()
  await until(async () => (await statusOf(2)) === 'resolved', 'number 2 is resolved')
  assert.equal(
    await row(page, 'Entry number 2')
      .filter({ hasNotText: /number 2\d/ })
      .count(),
    0,
  )

  await page.keyboard.press('n')
  await page.keyboard.type('Looked at by nobody')
  await page.keyboard.press('Control+Enter')
  await detail(page).getByText('left a note').waitFor()
  const noted = async () =>
    (await inbox.scene.node.client.getFeedback(inbox.projectId, idOf(3))).history.at(-1)?.note
  await until(async () => (await noted()) === 'Looked at by nobody', 'the note is saved')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await detail(page).waitFor({ state: 'detached' })

  await page.keyboard.press('x')
  await page.keyboard.press('Shift+J')
  await page.keyboard.press('Shift+J')
  await page.getByText('3 chosen').waitFor()
  await page.keyboard.press('s')
  await page.getByRole('dialog').waitFor()
  await page.keyboard.press('d')
  await page.getByText('3 entries dismissed').waitFor()
  for (const number of [3, 4, 5])
    await until(async () => (await statusOf(number)) === 'dismissed', 'dismissed')
  assert.equal(await statusOf(6), 'pending')
  const marked = page.locator('[data-row]:has(> [data-row-link][tabindex="0"])')
  await until(
    async () => (await marked.getAttribute('data-row')) === idOf(6),
    'the mark is on the entry behind those that have left',
  )

  await page.keyboard.press('Home')
  await page.keyboard.press('h')
  await page.waitForURL(/\/agent\?feedback=/)
  assert.equal(new URL(page.url()).searchParams.get('feedback'), idOf(1))
  assert.deepEqual(errors, [])
})

browserTest('what was done to many is undone to what each was before', async (browser) => {
  await inbox.fill(250)
  const { client } = inbox.scene.node
  await client.updateFeedback(inbox.projectId, idOf(7), { status: 'in_progress' })
  await using looking = await inbox.look(browser, 'editor')
  const { page } = looking
  await page.goto(inbox.at('/feedback'))
  await row(page, 'Entry number 1').first().waitFor()
  await page.keyboard.press('Control+a')
  await page.getByText('250 chosen').waitFor()
  await page.getByRole('button', { name: 'Resolved' }).click()
  await page.getByRole('dialog').getByText('Set 250 entries to resolved?').waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Set 250 entries' }).click()
  await page.getByText('250 entries resolved').waitFor()
  await page.getByText('All done').waitFor()
  assert.equal(await statusOf(250), 'resolved')
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('250 changes undone').waitFor()
  assert.equal(await statusOf(7), 'in_progress')
  assert.equal(await statusOf(250), 'pending')
  await row(page, 'Entry number 1').first().waitFor()
})

browserTest('filters stand in the address, and a view of them can be saved and shared', async (browser) => {
  await inbox.fill(100)
  await using looking = await inbox.look(browser, 'editor')
  const { page } = looking
  await page.goto(inbox.at('/feedback'))
  await page.getByRole('button', { name: 'Source: With words' }).click()
  const sources = page.getByRole('group', { name: 'Source' })
  await sources.getByLabel(/^Code note\s+10$/).waitFor()
  await page.keyboard.press('Space') // Page comments, the first, are selected no more.
  await sources.getByLabel(/^AI agent/).uncheck()
  await until(async () => (await page.locator('[data-row]').count()) === 10, 'ten notes on code')
  await page.keyboard.press('Escape')
  await page.keyboard.press('/')
  await page.keyboard.type('number 40')
  await until(async () => (await page.locator('[data-row]').count()) === 1, 'the one with these words')
  assert.deepEqual(await page.locator('[data-row] mark').allTextContents(), ['number 40'])
  assert.equal(new URL(page.url()).search, '?source=code_snippet&q=number+40')
  await page.getByRole('button', { name: 'Views' }).click()
  await page.getByRole('menuitem', { name: 'Save these filters…' }).click()
  await page.getByLabel('Name').fill('Forty')
  await page.getByLabel('Share it with everybody').check()
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await page.getByText('View “Forty” saved').waitFor()

  await using other = await inbox.look(browser, 'viewer')
  await other.page.goto(inbox.at('/feedback?vote=up'))
  await row(other.page, 'Entry number 2').first().waitFor()
  await other.page.getByRole('button', { name: 'Views' }).click()
  await other.page.getByRole('menuitemradio', { name: 'Forty' }).click()
  await row(other.page, 'Entry number 40').waitFor()
  await other.page.goBack()
  await row(other.page, 'Entry number 2').first().waitFor()
  assert.match(other.page.url(), /\?vote=up$/)
})

browserTest('what two people see is the same, and nothing moves under their eyes', async (browser) => {
  await inbox.fill(30)
  await using first = await inbox.look(browser, 'editor')
  await using second = await inbox.look(browser, 'editor')
  for (const { page } of [first, second]) {
    await page.goto(inbox.at('/feedback'))
    await row(page, 'Entry number 1').first().waitFor()
  }
  await inbox.arrive('Just now somebody said this')
  for (const { page } of [first, second]) {
    await page.getByRole('button', { name: '1 new' }).waitFor()
    assert.equal(await row(page, 'Just now somebody said this').count(), 0)
  }
  await first.page.getByRole('button', { name: '1 new' }).click()
  await row(first.page, 'Just now somebody said this').waitFor()

  await second.page.keyboard.press('j')
  await second.page.keyboard.press('s')
  await second.page.getByRole('dialog').waitFor()
  await second.page.keyboard.press('3')
  await second.page.getByText('1 entry resolved').waitFor()
  await row(first.page, 'Entry number 1')
    .filter({ hasNotText: /number 1\d/ })
    .waitFor({ state: 'detached' })
  await row(first.page, 'Entry number 2').first().waitFor()
  assert.deepEqual([...first.errors, ...second.errors], [])
})

browserTest('a change that the server refuses is taken back, in words', async (browser) => {
  await inbox.fill(10)
  await using looking = await inbox.look(browser, 'editor')
  const { page } = looking
  await page.goto(inbox.at('/feedback'))
  await row(page, 'Entry number 1').first().waitFor()
  await inbox.scene.node.node.context.database.queries
    .updateTable('members')
    .set({ role: 'viewer' })
    .where('user_id', '=', looking.userId)
    .execute()
  await page.keyboard.press('j')
  await page.keyboard.press('s')
  await page.getByRole('dialog').waitFor()
  await page.keyboard.press('3')
  await page.getByText('The status was not changed').waitFor()
  await page.getByText('Your role does not allow this').waitFor()
  await row(page, 'Entry number 1').first().waitFor()
  assert.equal(await statusOf(1), 'pending')
})

browserTest(
  'offline nothing is changed and nothing is lost; back again the list catches up',
  async (browser) => {
    await inbox.fill(10)
    await using looking = await inbox.look(browser, 'editor')
    const { page, context } = looking
    await page.goto(inbox.at('/feedback'))
    await row(page, 'Entry number 1').first().waitFor()
    await page.keyboard.press('j')
    await context.setOffline(true)
    await page.keyboard.press('s')
    await page.getByRole('dialog').waitFor()
    await page.keyboard.press('3')
    await page.getByText('Nothing was changed').waitFor()
    await row(page, 'Entry number 1').first().waitFor()
    await inbox.arrive('Said while nobody was there')
    await context.setOffline(false)
    await page.getByRole('button', { name: '1 new' }).waitFor()
    assert.equal(await statusOf(1), 'pending')
  },
)

browserTest('an entry that was deleted meanwhile says so, and leaves the list', async (browser) => {
  await inbox.fill(3)
  await using looking = await inbox.look(browser, 'editor')
  const { page } = looking
  await page.goto(inbox.at('/feedback'))
  await row(page, 'Entry number 2').waitFor()
  // Whether or not the list has heard of it when the click comes.
  const link = await row(page, 'Entry number 2').getByRole('link').elementHandle()
  await inbox.scene.node.node.context.database.queries
    .deleteFrom('feedback')
    .where('id', '=', idOf(2))
    .execute()
  await link?.evaluate((element) => (element as HTMLElement).click())
  await page.getByText('This entry no longer exists').waitFor()
  assert.equal(await row(page, 'Entry number 2').count(), 0)
})

browserTest('an empty inbox teaches, and one whose filters find nothing says that', async (browser) => {
  await using looking = await inbox.look(browser, 'admin')
  const { page } = looking
  await page.goto(inbox.at('/feedback'))
  await page.getByText('No feedback yet').waitFor()
  await page.getByRole('link', { name: 'Feedback widgets' }).waitFor()
  // There is nothing to look for, to filter or to take away.
  const search = page.getByRole('searchbox', { name: 'Search in feedback' })
  await search.waitFor({ state: 'detached' })
  assert.equal(await page.getByRole('button', { name: 'Export' }).count(), 0)
  await inbox.fill(5)
  await page.goto(inbox.at('/feedback?q=no+such+words'))
  await page.getByText('Nothing matches').waitFor()
  await page.getByRole('button', { name: 'Clear the filters' }).click()
  await row(page, 'Entry number 5').waitFor()
  await search.waitFor()
})

browserTest('what is said again and again stands together, and is dealt with together', async (browser) => {
  await inbox.fill(30)
  const { queries } = inbox.scene.node.node.context.database
  await queries
    .updateTable('feedback')
    .set({ comment: 'The same words' })
    .where('source', '=', 'agent')
    .execute()
  await using looking = await inbox.look(browser, 'editor')
  const { page } = looking
  await page.goto(inbox.at('/feedback'))
  await page.getByRole('button', { name: 'Duplicates' }).click()
  const group = page.getByRole('listitem').filter({ hasText: 'The same words' })
  await group.getByText('4 times:').waitFor()
  await group.getByRole('link').click()
  await detail(page).getByText('3 other entries of this page say the same.').waitFor()
  await detail(page).getByRole('button', { name: 'Status of all of them…' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Resolved' }).click()
  await page.getByText('4 entries resolved').waitFor()
  for (const number of [7, 14, 21, 28]) assert.equal(await statusOf(number), 'resolved')
  await group.waitFor({ state: 'detached' })
})

browserTest(
  'the words of an agent are marked as untrusted, and chosen entries go to an agent job',
  async (browser) => {
    await inbox.fill(10)
    await using looking = await inbox.look(browser, 'editor')
    const { page } = looking
    await page.goto(inbox.at(`/feedback?entry=${idOf(7)}`))
    await detail(page).getByText('It is untrusted').waitFor()
    await page.getByLabel('Select: Entry number 1', { exact: true }).check()
    await page.getByLabel('Select: Entry number 2', { exact: true }).check()
    await page.getByRole('link', { name: 'Agent job from these' }).click()
    await page.waitForURL(/\/agent\?feedback=/)
    assert.equal(new URL(page.url()).searchParams.get('feedback'), `${idOf(1)},${idOf(2)}`)
  },
)

browserTest('the filtered entries come as a file', async (browser) => {
  await inbox.fill(20)
  await using looking = await inbox.look(browser, 'viewer')
  const { page } = looking
  await page.goto(inbox.at('/feedback?source=code_snippet'))
  await row(page, 'Entry number 10').waitFor()
  await page.getByRole('button', { name: 'Export' }).click()
  const coming = page.waitForEvent('download')
  await page.getByRole('menuitem', { name: 'JSON lines' }).click()
  const download = await coming
  assert.match(download.suggestedFilename(), /^feedback-\d{4}-\d\d-\d\d\.jsonl$/)
  const chunks = await (await download.createReadStream()).toArray()
  const lines = Buffer.concat(chunks).toString().trim().split('\n')
  assert.deepEqual(
    lines.map((line) => JSON.parse(line).comment),
    ['Entry number 10', 'Entry number 20'],
  )
})
