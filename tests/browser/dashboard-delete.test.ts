import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request } from 'node:http'
import { after, before } from 'node:test'
import { addOrganization } from '../../src/app/operator/administration.ts'
import { allFaultsInBothSchemes, assertAccessible } from '../kit/axe.ts'
import { browserTest } from '../kit/browser.ts'
import { addPerson, signedIn } from '../kit/people.ts'
import { publish, until } from '../kit/until.ts'
import { openPeopleScene, type PeopleScene } from './dashboard-people-scene.ts'

let scene: PeopleScene
before(async () => {
  scene = await openPeopleScene()
})
after(() => scene[Symbol.asyncDispose]())

async function ask(accept: string) {
  const { hostname, port } = new URL(scene.octavo.url)
  const asked = request({ hostname, port, path: '/', headers: { Host: 'docs.localhost', accept } }).end()
  const [answer] = await once(asked, 'response')
  return { status: answer.statusCode as number, text: Buffer.concat(await answer.toArray()).toString() }
}

/** Polls, because host name lookups are cached for up to 100 ms. */
const answered = (status: number, accept = 'text/html') =>
  until(async () => {
    const answer = await ask(accept)
    return answer.status === status && answer
  }, `an answer with ${status}`)

browserTest('an owner deletes a project by typing its name and restores it', async (browser) => {
  const { octavo, projectId } = scene
  await publish(scene.octavo.client, scene.projectId)
  await answered(200)
  await using owner = await scene.enter(browser, 'owner')
  const { page } = owner
  await page.goto(`${octavo.url}/p/${projectId}/settings/delete`)
  await page.getByRole('button', { name: 'Delete the project' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('You can restore it for 7 days.').waitFor()
  await dialog.getByText('Deployments').waitFor()
  assert.deepEqual(await allFaultsInBothSchemes(page), [])
  const confirm = dialog.getByRole('button', { name: 'Delete the project' })
  assert.equal(await confirm.isDisabled(), true)
  const label = (await dialog.locator('label').textContent()) ?? ''
  const name = /“(.*)”/.exec(label)?.[1] ?? ''
  await page.keyboard.type(name)
  await page.keyboard.press('Enter')
  await page.getByText(`${name} is deleted`).first().waitFor()

  const gone = await answered(410)
  assert.match(gone.text, /docs\.localhost has been taken down/)
  assert.doesNotMatch(gone.text, /Hello/)
  assert.equal((await answered(410, '*/*')).text, 'This site has been taken down.\n')
  await assert.rejects(octavo.client.getFeedback(projectId, 'fb_none'), /404|[Nn]ot found/)
  await assert.rejects(octavo.client.listDeployments(projectId), /404|[Nn]ot found/)

  const list = page.getByRole('list', { name: 'Deleted projects' })
  await list.getByText('docs.localhost, deleted').waitFor()
  await list.getByRole('button', { name: 'Restore' }).click()
  await page.getByText(`${name} is restored`).first().waitFor()
  assert.match((await answered(200)).text, /Hello/)
  assert.equal((await octavo.client.listDeployments(projectId)).deployments[0]?.status, 'published')
  assert.deepEqual(owner.errors, [])
})

browserTest('an archived project is read-only for everyone until it is unarchived', async (browser) => {
  const { octavo, projectId } = scene
  const base = `${octavo.url}/p/${projectId}`
  await using owner = await scene.enter(browser, 'owner')
  const { page } = owner
  await page.goto(`${base}/settings/delete`)
  await page.getByRole('button', { name: 'Archive the project' }).click()
  const dialog = page.getByRole('dialog')
  const feedback = dialog.getByRole('checkbox', { name: 'Keep collecting feedback' })
  assert.equal(await feedback.isChecked(), false)
  await dialog.getByRole('checkbox', { name: 'Keep the site online as it is' }).uncheck()
  assert.equal(await feedback.isDisabled(), true)
  await dialog.getByRole('button', { name: 'Archive the project' }).click()
  await answered(410)
  const list = page.getByRole('list', { name: 'Archived projects' })
  await list.getByText('docs.localhost, offline, archived').waitFor()

  await using admin = await scene.enter(browser, 'admin')
  const changes = /^(?:Publish|New|Start|Save|Add|Rebuild|Roll back|Retry|Promote|Unarchive)/
  for (const place of ['', '/feedback', '/agent', '/exports', '/deployments', '/site', '/settings']) {
    await admin.page.goto(base + place)
    await admin.page.getByText('is archived and read-only').waitFor()
    await admin.page.getByRole('main').getByRole('heading').first().waitFor()
    await admin.page.waitForFunction(() => document.querySelector('main [aria-busy="true"]') === null)
    assert.equal(await admin.page.getByRole('main').getByRole('button', { name: changes }).count(), 0, place)
  }
  assert.equal(await admin.page.getByRole('link', { name: 'Transfer, archive and delete' }).count(), 0)

  await page.goto(base)
  await page.getByText('is archived and read-only').waitFor()
  await assertAccessible(page, '', { isAnyImpact: true })
  await page.getByRole('button', { name: 'Unarchive', exact: true }).waitFor()
  await page.goto(`${octavo.url}/o/${octavo.organizationId}/plan`)
  await list.getByRole('button', { name: /^Unarchive / }).click()
  await page
    .getByText(/is no longer archived$/)
    .first()
    .waitFor()
  assert.match((await answered(200)).text, /Hello/)
  await page.goto(`${base}/exports`)
  await page.getByRole('button', { name: changes }).first().waitFor()
  assert.deepEqual([...owner.errors, ...admin.errors], [])
})

browserTest('shows how many feedback entries match before deleting them', async (browser) => {
  const { octavo, projectId } = scene
  const { pool } = octavo.node.context.database
  await pool.query(
    `INSERT INTO feedback (id, project_id, source, path, helpful, comment, contact)
     VALUES ('fb_of_ada', $1, 'contextual', '/', false, 'Too short.', 'Ada@Example.com')`,
    [projectId],
  )
  await using owner = await scene.enter(browser, 'owner', { viewport: { width: 390, height: 800 } })
  const { page } = owner
  await page.goto(`${octavo.url}/p/${projectId}/settings/delete`)
  const look = page.getByRole('button', { name: 'Count entries' })
  await page.getByLabel('Contact address').fill('nobody@example.com')
  await look.click()
  await page.getByText('No feedback matches.').waitFor()
  await page.getByLabel('Contact address').fill('ada@example.com')
  await look.click()
  await page.getByText('Delete 1 feedback entry?').waitFor()
  await page.getByRole('button', { name: 'Delete permanently' }).click()
  await page.getByText('1 entry deleted').first().waitFor()
  assert.equal((await pool.query('SELECT FROM feedback')).rowCount, 0)
  assert.deepEqual(owner.errors, [])
})

browserTest(
  'one owner offers a project for transfer and the owner of the other organization accepts it',
  async (browser) => {
    const { octavo, projectId } = scene
    const { context } = octavo.node
    const { id: to } = await addOrganization(context, { name: 'The buyer', plan: 'pro' })
    const email = 'buyer@example.com'
    await addPerson(context.database, { email, organizationId: to, role: 'owner' })
    await using owner = await scene.enter(browser, 'owner')
    const { page } = owner
    await page.goto(`${octavo.url}/p/${projectId}/settings/delete`)
    await page.getByRole('button', { name: 'Transfer the project' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Everything in the project moves with it').waitFor()
    await dialog.getByText('Roles are not transferred').waitFor()
    const send = dialog.getByRole('button', { name: 'Transfer the project' })
    assert.equal(await send.isDisabled(), true)
    await dialog.getByLabel('Organization').fill(to)
    await send.click()
    await page.getByText(/^Transfer to .* requested/).waitFor()
    await dialog.waitFor({ state: 'detached' })

    const buyer = await signedIn(octavo.url, { email, organizationId: to })
    await using taker = await scene.visit(browser)
    await taker.context.addCookies(
      [...buyer.cookies].map(([name, value]) => ({ name, value, url: octavo.url })),
    )
    await taker.page.goto(`${octavo.url}/o/${to}/plan`)
    const offers = taker.page.getByRole('list', { name: 'Incoming transfers' })
    await offers.getByText('requested by').waitFor()
    await offers.getByRole('button', { name: /^Accept / }).click()
    await taker.page.getByRole('button', { name: 'Accept the project' }).click()
    await taker.page.waitForURL(`**/p/${projectId}**`)
    await assert.rejects(octavo.client.listDeployments(projectId), /404|[Nn]ot found/)
    assert.match((await answered(200)).text, /Hello/)
    assert.deepEqual([...owner.errors, ...taker.errors], [])
  },
)
