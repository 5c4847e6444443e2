/** Domain verification on a node that requires it, with two organizations claiming the same domain. */
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { addProject } from '../../src/app/operator/administration.ts'
import { ensureSampleProject } from '../../src/app/operator/sample-site.ts'
import type { ProjectDomain } from '../../src/features/projects/operations/domains.ts'
import type { ProjectDetail } from '../../src/features/projects/operations/projects.ts'
import { type DnsServer, startDnsServer } from '../kit/dns-server.ts'
import { smallSite, writeSite } from '../kit/site.ts'
import { openTwoOrganizations, type Party, refusal, type TwoOrganizations } from '../kit/two-organizations.ts'
import { until } from '../kit/until.ts'

let folder: string
let dns: DnsServer
let both: TwoOrganizations
const DOMAIN = 'docs.example.org'

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'octavo-domains-'))
  await writeSite(folder, smallSite(1))
  dns = await startDnsServer()
  both = await openTwoOrganizations({
    OCTAVO_PROVE_DOMAINS: 'true',
    OCTAVO_DNS_SERVERS: dns.address,
    OCTAVO_SOURCE_ROOTS: folder,
  })
})
after(async () => {
  await both[Symbol.asyncDispose]()
  await dns[Symbol.asyncDispose]()
  await rm(folder, { recursive: true })
})

const make = (party: Party, domain = DOMAIN) =>
  party.makeProject({ kind: 'folder', repository: folder }, domain)
const detail = (party: Party, { id }: ProjectDetail) =>
  party.admin.json<ProjectDetail>(`/internal/projects/${id}`)
const checkNow = (party: Party, { id }: ProjectDetail, domain = DOMAIN) =>
  party.admin.post<ProjectDomain>(`/internal/projects/${id}/domains/${domain}/check`)

function read(host: string, path = '/', accept = '*/*'): Promise<{ status: number; text: string }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; text: string }>()
  request(new URL(path, both.octavo.url), { headers: { host, accept } }, async (response) => {
    const text = Buffer.concat(await response.toArray()).toString()
    resolve({ status: response.statusCode ?? 0, text })
  })
    .on('error', reject)
    .end()
  return promise
}

const served = (party: Party, project: ProjectDetail): Promise<ProjectDetail> =>
  until(async () => {
    await checkNow(party, project)
    const now = await detail(party, project)
    return now.domainStates[0]?.state === 'served' && now
  }, 'the proof of the domain')

test('of two organizations that claim a domain, the one that verifies it gets its readers', async () => {
  const squatter = await make(both.other)
  const owner = await make(both.acme)
  for (const [party, project] of [
    [both.other, squatter],
    [both.acme, owner],
  ] as const) {
    assert.equal((await party.publish(project.id)).status, 'published')
    assert.deepEqual([project.url, project.domainStates[0]?.state], [null, 'pending'])
    assert.equal(project.provesDomains, true)
  }
  const nobodys = await read('nobody.example.org')
  assert.deepEqual(nobodys, { status: 404, text: 'There is no site at this URL.\n' })
  const { status, text } = await read('nobody.example.org', '/', 'text/html')
  assert.deepEqual([status, /<h1>There is no site at this URL<\/h1>/.test(text)], [404, true])
  for (const path of [
    '/',
    '/page-1',
    '/sign-in',
    '/internal/session',
    '/v1/static-export/jobs',
    '/assets/x.js',
  ])
    assert.deepEqual(await read(DOMAIN, path), nobodys, path)
  const asked = await refusal(startExport(both.acme))
  assert.deepEqual([asked.status, /`\/domain` is not verified yet/.test(asked.text)], [400, true])

  const [challenge] = owner.domainStates
  const [others] = squatter.domainStates
  assert.notEqual(challenge?.record.value, others?.record.value)
  assert.equal(challenge?.record.name, '_octavo-challenge.docs.example.org')
  dns.texts.set(challenge?.record.name ?? '', [challenge?.record.value ?? ''])
  const proved = await served(both.acme, owner)
  assert.equal(proved.url, `https://${DOMAIN}`)
  assert.equal(proved.domainStates[0]?.proof, 'dns')
  const page = await read(DOMAIN)
  assert.equal(page.status, 200)
  assert.match(page.text, /<html/)
  assert.equal((await startExport(both.acme)).status, 202)

  await checkNow(both.other, squatter)
  const left = await detail(both.other, squatter)
  assert.deepEqual([left.url, left.domainStates[0]?.state], [null, 'pending'])
  assert.doesNotMatch(JSON.stringify(left), /another project|already in use/)
  const alike = await refusal(startExport(both.other))
  assert.match(alike.text, /`\/domain` is not verified yet/)
})

const startExport = ({ admin }: Party) =>
  admin.ask('/v1/static-export/jobs', { method: 'POST', body: { domain: DOMAIN } })

test('the server answers under its own host names, and health probes under any', async () => {
  for (const host of ['localhost', '127.0.0.1:4000', 'octavo'])
    assert.equal((await read(host, '/healthz')).status, 200)
  assert.equal((await read('octavo.namespace.svc', '/healthz')).status, 200)
  assert.equal((await read('octavo.namespace.svc', '/v1/static-export/jobs')).status, 404)
  assert.equal((await read('10.1.2.3', '/v1/static-export/jobs')).status, 401)
})

test('a check of a domain outside the project returns 404, as for a missing project', async () => {
  const project = await make(both.acme, 'own.example.org')
  const paths = [
    `/internal/projects/${project.id}/domains/other.example.org/check`,
    `/internal/projects/prj_none0/domains/own.example.org/check`,
  ]
  for (const path of paths)
    assert.equal((await both.acme.admin.ask(path, { method: 'POST' })).status, 404, path)
  const others = `/internal/projects/${project.id}/domains/own.example.org/check`
  assert.equal((await both.other.admin.ask(others, { method: 'POST' })).status, 404)
})

test('claiming the domain of the sample project does not take it over', async () => {
  const { context } = both.octavo.node
  const waiting = await make(both.other, 'docs.localhost')
  const { project, isNew } = await ensureSampleProject(context, both.acme.organizationId)
  assert.equal(isNew, true)
  assert.notEqual(project.id, waiting.id)
  assert.deepEqual(await ensureSampleProject(context, both.acme.organizationId), { project, isNew: false })
})

test('a domain added on the command line is served at once', async () => {
  const { id: projectId } = await addProject(both.octavo.node.context, {
    organizationId: both.acme.organizationId,
    name: 'Told',
    domains: ['told.example.org'],
    source: { kind: 'folder', repository: folder },
  })
  assert.equal((await both.acme.publish(projectId)).status, 'published')
  assert.equal((await read('told.example.org')).status, 200)
  const { domainStates } = await both.acme.admin.json<ProjectDetail>(`/internal/projects/${projectId}`)
  assert.deepEqual([domainStates[0]?.proof, domainStates[0]?.nextCheckAt], ['operator', null])
})
