import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, beforeEach, test } from 'node:test'
import { silentLog } from '../../src/base/log.ts'
import { createTxtLookup } from '../../src/base/net/dns-records.ts'
import { createGuardedFetch, type GuardedFetch } from '../../src/base/net/guarded-fetch.ts'
import { listAudit } from '../../src/database/audit.ts'
import { domainChallenge } from '../../src/features/projects/domains/domain-challenge.ts'
import { listProjectDomains, requestCheck } from '../../src/features/projects/domains/domain-checks.ts'
import { vouchForDomain } from '../../src/features/projects/domains/domain-claims.ts'
import { checkDueDomains } from '../../src/features/projects/domains/watch-domains.ts'
import { createProject, findProject, type Project } from '../../src/features/projects/projects.ts'
import { updateProject } from '../../src/features/projects/update-project.ts'
import { addOrganization, OPERATOR } from '../kit/accounts.ts'
import { openTestDatabase, type TestDatabase } from '../kit/database.ts'
import { type DnsServer, startDnsServer } from '../kit/dns-server.ts'
import { refusalOf } from '../kit/refusal.ts'
import { toldOf } from '../kit/told.ts'

const MEMBER = { ...OPERATOR, newDomains: { state: 'pending', proof: null } } as const

let database: TestDatabase
let dns: DnsServer
let guardedFetch: GuardedFetch
/** Responses by host and path. */
const files = new Map<string, { status?: number; location?: string; text: string }>()
const web = createServer((request, response) => {
  const host = request.headers.host?.split(':')[0] ?? ''
  const found = files.get(host + request.url)
  if (found?.location !== undefined) response.setHeader('location', found.location)
  response.writeHead(found?.status ?? (found ? 200 : 404)).end(found?.text ?? `${request.url} is not here`)
})
let names = 0
let domain: string

before(async () => {
  database = await openTestDatabase()
  dns = await startDnsServer()
  web.listen(0, '127.0.0.1')
  await once(web, 'listening')
  const { port } = web.address() as AddressInfo
  const real = createGuardedFetch({ isPublic: () => true, ports: null, resolve: async () => ['127.0.0.1'] })
  // Route all host names to the server above, on its random port.
  const toServer = (url: string) => {
    const { protocol, hostname, pathname } = new URL(url)
    return protocol === 'http:' ? `http://${hostname}:${port}${pathname}` : `https://${hostname}:1${pathname}`
  }
  guardedFetch = { ...real, fetch: (url, request) => real.fetch(toServer(url), request) }
})
after(async () => {
  await guardedFetch[Symbol.asyncDispose]()
  web.closeAllConnections()
  web.close()
  await dns[Symbol.asyncDispose]()
  await database[Symbol.asyncDispose]()
})
beforeEach(async () => {
  domain = `docs-${++names}.example.com`
  dns.isFailing = false
  // Prevent checks from including domains of earlier tests.
  await database.pool.query('UPDATE project_domains SET check_at = NULL')
})

const faultOf = async (work: Promise<unknown>) => (await refusalOf(work)).details[0]?.message ?? ''

async function want(name = domain, rules = MEMBER as typeof OPERATOR, organizationId?: string) {
  const organization = organizationId ?? (await addOrganization(database))
  return database.transaction((tx) =>
    createProject(tx, {
      organizationId: organization,
      name,
      domains: [name],
      source: { kind: 'git', repository: 'https://git.example.com/docs.git' },
      rules,
      actor: 'test',
    }),
  )
}

async function check(isProofAsked = true): Promise<void> {
  await database.pool.query('UPDATE project_domains SET check_at = now() WHERE check_at IS NOT NULL')
  const deps = {
    database,
    guardedFetch,
    lookUpTxt: createTxtLookup([dns.address]),
    isProofAsked,
    log: silentLog,
  }
  await checkDueDomains(deps, new AbortController().signal)
}

async function stateOf(project: Project) {
  const [first] = await listProjectDomains(database.queries, project, true)
  return first as NonNullable<typeof first>
}

function challengeOf(project: Project) {
  return domainChallenge(project.organizationId, project.domains[0] as string)
}

function prove(...projects: Project[]): void {
  const { name } = challengeOf(projects[0] as Project).record
  dns.texts.set(name, ['v=spf1 -all', ...projects.map((project) => challengeOf(project).record.value)])
}

async function actionsOf({ id, organizationId }: Project): Promise<string[]> {
  const rows = await listAudit(database.queries, { organizationId, limit: 50 })
  return rows
    .filter(({ subject }) => subject === id)
    .map(({ action }) => action)
    .reverse()
}

const days = (project: Project, count: number) =>
  database.pool.query(
    `UPDATE project_domains SET unproved_since = now() - make_interval(days => $2) WHERE project_id = $1`,
    [project.id, count],
  )

test('a domain is served once its TXT record is verified, and a missing proof is reported before', async () => {
  const project = await want()
  assert.deepEqual(project.servedDomains, [])
  await check()
  const before = await stateOf(project)
  const { record, file } = challengeOf(project)
  assert.equal(before.state, 'pending')
  assert.match(
    before.reason ?? '',
    new RegExp(
      `^There is no TXT record ${record.name}\\. The file over https: .+ Over http: The response is 404\\.$`,
    ),
  )
  assert.ok(before.nextCheckAt !== null && before.checkedAt !== null)
  assert.ok(dns.asked.includes(record.name))
  assert.equal(file.url.includes(file.content.split('=')[1] as string), false)

  dns.texts.set(record.name, ['something else'])
  await check()
  assert.match((await stateOf(project)).reason ?? '', /has a different value/)
  dns.isFailing = true
  await check()
  assert.match((await stateOf(project)).reason ?? '', /^DNS did not respond for .+ \(ESERVFAIL\)/)

  dns.isFailing = false
  prove(project)
  await check()
  const { state, proof, reason } = await stateOf(project)
  assert.deepEqual([state, proof, reason], ['served', 'dns', null])
  assert.deepEqual((await findProject(database.queries, project.id))?.servedDomains, [domain])
  assert.deepEqual(await actionsOf(project), ['project.created', 'project.domain_proved'])
})

test('a file proves a domain too, but not content that only repeats the URL or a redirect to it', async () => {
  const project = await want()
  const { url, content } = challengeOf(project).file
  const address = domain + new URL(url).pathname
  files.set(address, { text: `${url} ${content.slice(0, 20)}` })
  await check()
  assert.match((await stateOf(project)).reason ?? '', /Over http: It has different content\.$/)
  files.set(`elsewhere.example.com/proof`, { text: content })
  files.set(address, { status: 302, location: 'http://elsewhere.example.com/proof', text: content })
  await check()
  assert.match((await stateOf(project)).reason ?? '', /Over http: The response is 302\.$/)
  files.set(address, { text: `${content}\n` })
  await check()
  assert.deepEqual([(await stateOf(project)).state, (await stateOf(project)).proof], ['served', 'file'])
})

test('does not request the proof file from a private address', async () => {
  const project = await want()
  await using guarded = createGuardedFetch({ resolve: async () => ['127.0.0.1'] })
  const lookUpTxt = createTxtLookup([dns.address])
  await checkDueDomains(
    { database, guardedFetch: guarded, lookUpTxt, isProofAsked: true, log: silentLog },
    new AbortController().signal,
  )
  assert.match(
    (await stateOf(project)).reason ?? '',
    /The file: The address is not on the public internet\.$/,
  )
})

test('several projects can claim a domain, and the first that proves it is served, not the first claimant', async () => {
  const squatter = await want()
  const owner = await want()
  prove(owner)
  await check()
  assert.deepEqual([(await stateOf(squatter)).state, (await stateOf(owner)).state], ['pending', 'served'])
  // A later claimant that publishes its own TXT record next to the owner's.
  const partner = await want()
  prove(owner, partner)
  await check()
  assert.equal((await stateOf(partner)).state, 'pending')
  assert.match(
    (await stateOf(partner)).reason ?? '',
    /^The domain is verified, but another project of this server uses it/,
  )
})

test('only one of several projects that prove a domain at the same time is served', async () => {
  const wanted = await Promise.all(Array.from({ length: 6 }, () => want()))
  prove(...wanted)
  await Promise.all([check(), check(), check()])
  const states = await Promise.all(wanted.map(async (project) => (await stateOf(project)).state))
  assert.equal(states.filter((state) => state === 'served').length, 1, states.join())
  assert.equal(states.filter((state) => state === 'pending').length, 5)
})

test('a missing proof is reported at once, and the domain is lost to another prover only after 7 days', async () => {
  const holder = await want()
  prove(holder)
  await check()
  const claimer = await want()
  prove(claimer)
  await check()
  const missed = await stateOf(holder)
  assert.equal(missed.state, 'served')
  assert.ok(missed.unprovedSince !== null && /has a different value/.test(missed.reason ?? ''))
  assert.equal((await stateOf(claimer)).state, 'pending')
  // A DNS failure counts neither for nor against the holder.
  dns.isFailing = true
  await check()
  assert.equal((await stateOf(holder)).unprovedSince, missed.unprovedSince)
  dns.isFailing = false
  await days(holder, 6)
  await check()
  assert.equal((await stateOf(holder)).state, 'served')
  await days(holder, 8)
  await check()
  assert.deepEqual([(await stateOf(holder)).state, (await stateOf(claimer)).state], ['pending', 'served'])
  assert.match((await stateOf(holder)).reason ?? '', /^The verification was missing for 7 days/)
  assert.deepEqual(await actionsOf(holder), [
    'project.created',
    'project.domain_proved',
    'project.domain_proof_missed',
    'project.domain_lost',
  ])
  assert.deepEqual(
    (await toldOf(database, holder.id)).map(({ kind, subject, facts }) => [kind, subject, facts]),
    ['domain_proof_missing', 'domain_lost'].map((kind) => [kind, domain, { name: domain }]),
  )
  assert.deepEqual(await toldOf(database, claimer.id), [])
})

test('checks the proof of the holder again before the domain is lost', async () => {
  const holder = await want()
  prove(holder)
  await check()
  const claimer = await want()
  prove(holder, claimer)
  await days(holder, 30)
  await database.pool.query('UPDATE project_domains SET check_at = NULL WHERE project_id = $1', [holder.id])
  await check()
  assert.deepEqual([(await stateOf(holder)).state, (await stateOf(claimer)).state], ['served', 'pending'])
  assert.equal((await stateOf(holder)).unprovedSince, null)
})

test('a domain served before verification stays served unproved, until another owner proves it', async () => {
  const unproved = { ...OPERATOR, newDomains: { state: 'served', proof: null } } as const
  const holder = await want(domain, unproved as unknown as typeof OPERATOR)
  await check(false)
  assert.equal((await stateOf(holder)).checkedAt, null, 'nobody asks for proofs yet')
  await check()
  const { state, proof, unprovedSince } = await stateOf(holder)
  assert.deepEqual([state, proof, unprovedSince === null], ['served', null, false])
  const owner = await want()
  prove(owner)
  await days(holder, 8)
  await check()
  assert.deepEqual([(await stateOf(holder)).state, (await stateOf(owner)).state], ['pending', 'served'])
})

test('a domain set by the operator is served without proof, and only the operator can reassign it', async () => {
  const holder = await want(domain, OPERATOR)
  const claimer = await want()
  prove(claimer)
  await days(holder, 30)
  await check()
  assert.deepEqual([(await stateOf(holder)).state, (await stateOf(claimer)).state], ['served', 'pending'])
  const vouch = (isTaken: boolean) =>
    database.transaction((tx) => vouchForDomain(tx, { projectId: claimer.id, domain, isTaken, actor: 'cli' }))
  const held = await refusalOf(vouch(false))
  assert.equal(held.code, 'domain_taken')
  assert.match(held.details[0]?.message ?? '', new RegExp(holder.id))
  await vouch(true)
  assert.deepEqual([(await stateOf(holder)).state, (await stateOf(claimer)).proof], ['pending', 'operator'])
  assert.equal((await actionsOf(claimer)).at(-1), 'project.domain_vouched')
  assert.match(await faultOf(want(domain, OPERATOR)), /is already in use/)
})

test('a project keeps its proved domain when its other domains or their order change', async () => {
  const project = await want()
  prove(project)
  await check()
  const set = async (domains: string[]) => {
    const { updatedAt } = (await findProject(database.queries, project.id)) as Project
    const body = { updatedAt: updatedAt.toISOString(), domains }
    const { organizationId, id: projectId } = project
    const set = await database.transaction((tx) =>
      updateProject(tx, { projectId, organizationId, actor: 'test', body, rules: MEMBER }),
    )
    return [set.domains, set.servedDomains]
  }
  assert.deepEqual(await set([`new-${domain}`, domain]), [[`new-${domain}`, domain], [domain]])
  assert.deepEqual(await set([`new-${domain}`]), [[`new-${domain}`], []])
  // The TXT record still exists, so the next check serves the domain again.
  assert.deepEqual(await set([domain]), [[domain], []])
  await check()
  assert.equal((await stateOf(project)).state, 'served')
})

test('an organization can claim a domain only once, and others cannot see that it is claimed', async () => {
  const project = await want()
  const again = want(domain, MEMBER as typeof OPERATOR, project.organizationId)
  assert.match(await faultOf(again), /is already in use/)
  prove(project)
  await check()
  assert.equal((await stateOf(await want())).state, 'pending')
})

test('an organization can have at most 200 unverified domains', async () => {
  const organizationId = await addOrganization(database)
  for (let index = 0; index < 4; index++) {
    await database.transaction((tx) =>
      createProject(tx, {
        organizationId,
        name: 'Many',
        domains: Array.from({ length: 50 }, (_, at) => `many-${index}-${at}.${domain}`),
        source: { kind: 'git', repository: 'https://git.example.com/docs.git' },
        rules: MEMBER,
        actor: 'test',
      }),
    )
  }
  const more = want(domain, MEMBER as typeof OPERATOR, organizationId)
  assert.match(await faultOf(more), /at most 200 unverified domains/)
  // Unverified domains of one organization do not delay those of another.
  const other = await want()
  prove(other)
  await check()
  assert.equal((await stateOf(other)).state, 'served')
})

test('checks an unverified domain less and less often, and after a month only on request', async () => {
  const project = await want()
  const nextAfter = async (age: string) => {
    await database.pool.query(
      `UPDATE project_domains SET created_at = now() - $2::interval, check_at = now() WHERE project_id = $1`,
      [project.id, age],
    )
    await check()
    const { checkedAt, nextCheckAt } = await stateOf(project)
    return nextCheckAt && Math.round((Date.parse(nextCheckAt) - Date.parse(checkedAt ?? '')) / 1000)
  }
  assert.equal(await nextAfter('1 minute'), 30)
  assert.equal(await nextAfter('20 minutes'), 120)
  assert.equal(await nextAfter('3 days'), 3600)
  assert.equal(await nextAfter('31 days'), null)
  const { checkedAt } = await stateOf(project)
  await database.transaction((tx) => requestCheck(tx, { projectId: project.id, domain }, true))
  const { nextCheckAt } = await stateOf(project)
  assert.equal(
    Date.parse(nextCheckAt ?? '') - Date.parse(checkedAt ?? ''),
    10_000,
    'soon, and not at once again',
  )
})
