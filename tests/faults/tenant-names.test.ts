/** Names of the service itself cannot be project domains: their owner could respond in its place. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { loadConfig } from '../../src/app/config/config.ts'
import { memberRules, operatorRules } from '../../src/app/config/project-rules.ts'
import type { ProjectDetail } from '../../src/features/projects/operations/projects.ts'
import { createProject } from '../../src/features/projects/projects.ts'
import { addOrganization } from '../kit/accounts.ts'
import { refusalOf } from '../kit/refusal.ts'
import { openTwoOrganizations, refusal, type TwoOrganizations } from '../kit/two-organizations.ts'

const source = { kind: 'git', repository: 'https://git.example.com/team/docs.git' } as const
/** Addresses of this node in equivalent spellings. */
const NAMES = [
  'localhost',
  'LOCALHOST',
  'localhost.',
  'localhost:443',
  '127.0.0.1',
  '2130706433',
  '0x7f000001',
  '[::1]',
]
/** Names in the preview domain, where cookies could reach the previews of other tenants. */
const OF_PREVIEWS = [
  'previews.localhost',
  'Previews.LOCALHOST.',
  'zzz.previews.localhost',
  'a.b.previews.localhost',
]
/** Names related to the public address `docs.service.example` and to previews under `previews.example.net`. */
const BESIDE_SERVICE = [
  'docs.service.example',
  'Docs.Service.Example.',
  'docs.service.example:443',
  'ｄocs.service.example',
  'docs。service。example',
  'x.docs.service.example',
  'a.b.docs.service.example.',
  'service.example',
  'example',
  'previews.example.net',
  'zzz.previews.example.net',
  'example.net',
]

let scene: TwoOrganizations
before(async () => {
  scene = await openTwoOrganizations()
})
after(() => scene[Symbol.asyncDispose]())

test('the API rejects names of the service as project domains, on create and on update', async () => {
  const { octavo, other } = scene
  const project = await other.makeProject(source)
  for (const name of [...NAMES, ...OF_PREVIEWS]) {
    const body = { name: 'x', domains: [name], source }
    const made = await refusal(other.admin.ask('/internal/projects', { method: 'POST', body }))
    assert.equal(made.status, 400, `made with ${name}`)
    const path = `/internal/projects/${project.id}`
    const { updatedAt, domains } = await other.admin.json<ProjectDetail>(path)
    const change = { updatedAt, domains: [...domains, name] }
    const changed = await refusal(other.admin.ask(path, { method: 'PATCH', body: change }))
    assert.equal(changed.status, 400, `changed to ${name}`)
  }
  const answer = await fetch(`${octavo.url}/healthz`)
  assert.equal(answer.status, 200)
})

const SERVICE = loadConfig(
  {},
  { OCTAVO_PUBLIC_URL: 'https://docs.service.example', OCTAVO_PREVIEW_DOMAIN: 'previews.example.net' },
).config

for (const rules of [memberRules(SERVICE), operatorRules(SERVICE)])
  test(`domains above and below the public address and previews are rejected for ${rules.newDomains.proof ?? 'members'}`, async () => {
    const { database } = scene.octavo.node.context
    const organizationId = await addOrganization(database)
    const create = (domain: string) =>
      database.transaction((tx) =>
        createProject(tx, { organizationId, name: 'x', domains: [domain], source, rules, actor: 'test' }),
      )
    for (const domain of BESIDE_SERVICE)
      assert.deepEqual([domain, (await refusalOf(create(domain))).code], [domain, 'invalid_request'])
    for (const domain of ['notdocs.service.example', `${organizationId.slice(4)}.localhost`])
      assert.deepEqual((await create(`${rules.newDomains.proof ?? 'member'}-${domain}`)).domains.length, 1)
  })

test('a domain above or below a site of another organization is rejected', async () => {
  const { acme, other } = scene
  await acme.makeProject(source, 'docs.deep.example.org')
  for (const domain of ['deep.example.org', 'evil.docs.deep.example.org', 'docs.deep.example.org']) {
    const body = { name: 'x', domains: [domain], source }
    const made = await other.admin.ask('/internal/projects', { method: 'POST', body })
    assert.ok([400, 409].includes(made.status), domain)
  }
  await other.makeProject(source, 'beside.deep.example.org')
  await acme.makeProject(source, 'more.docs.deep.example.org')
})
