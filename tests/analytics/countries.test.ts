import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { openCountries } from '../../src/features/analytics/intake/countries.ts'
import { type ApiUnderTest, startApi, withKey } from '../http/api-under-test.ts'
import { mmdb } from '../kit/mmdb.ts'
import { countAll, GPT, makeSite, read, tellTaken } from './analytics-scene.ts'

let api: ApiUnderTest
let folder: string
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'octavo-countries-'))
  const file = join(folder, 'countries.mmdb')
  const networks = [
    { address: '203.0.113.0', bits: 24, record: { country: { iso_code: 'DE', names: { en: 'Germany' } } } },
    { address: '198.51.100.0', bits: 24, record: { country_code: 'JP', country: 'Japan' } },
    { address: '192.0.2.0', bits: 24, record: { country: { iso_code: '<script>' } } },
  ]
  await writeFile(file, mmdb(networks))
  api = await startApi({
    limits: { analytics: { count: 100_000, seconds: 3600 } },
    trustedProxies: 1,
    countries: await openCountries(file),
  })
})
after(async () => {
  await api[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

test('counts people by country, and returns rows, days and CSV', async () => {
  const site = await makeSite(api, 'countries')
  for (const address of ['203.0.113.7', '203.0.113.8', '::ffff:198.51.100.1', '192.0.2.1', '2001:db8::1'])
    await tellTaken(api, site, [{ path: '/a' }], { address })
  await tellTaken(api, site, [{ path: '/a' }], { address: '203.0.113.7', userAgent: GPT })
  await countAll(api)
  assert.deepEqual(await read(api, site, 'countries'), {
    totals: { views: 5 },
    countries: [
      { country: null, views: 2 },
      { country: 'DE', views: 2 },
      { country: 'JP', views: 1 },
    ],
    hasMore: false,
  })
  const { countries } = (await read(api, site, 'countries/by-day')) as { countries: { views: number }[] }
  assert.deepEqual(
    countries.map(({ views }) => views),
    [5],
  )
  const csv = await api.fetch(`/v1/analytics/${site.projectId}/countries/export`, withKey(site.key))
  assert.equal(await csv.text(), 'country,views\r\n,2\r\nDE,2\r\nJP,1\r\n')
  const { rows } = await api.database.pool.query('SELECT t::text AS row FROM analytics_counts AS t')
  assert.ok(rows.every(({ row }) => !/203\.0\.113|198\.51/.test(row)))
})

test('country endpoints return 404 without a country database, and no countries are counted', async () => {
  await using plain = await startApi({ beside: api, trustedProxies: 1 })
  const site = await makeSite(api, 'no-countries')
  await tellTaken(plain, site, [{ path: '/a' }])
  await countAll(plain)
  for (const rest of ['countries', 'countries/by-day', 'countries/export']) {
    const answer = await plain.fetch(`/v1/analytics/${site.projectId}/${rest}`, withKey(site.key))
    assert.equal(answer.status, 404, rest)
    assert.match(await answer.text(), /OCTAVO_COUNTRY_DATABASE/)
  }
  assert.deepEqual((await read(api, site, 'countries')).countries, [])
})

test('rejects a country database that cannot be read or is not MMDB', async () => {
  const file = join(folder, 'text.mmdb')
  await writeFile(file, 'no database')
  await assert.rejects(openCountries(file), /OCTAVO_COUNTRY_DATABASE: the file is not an MMDB database/)
  await assert.rejects(
    openCountries(join(folder, 'nowhere')),
    /OCTAVO_COUNTRY_DATABASE: the file cannot be read/,
  )
})
