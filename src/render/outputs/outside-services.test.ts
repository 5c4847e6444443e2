import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Deployment, resolveFeatures } from '../../base/api/features.ts'
import type { Site } from '../../site/model.ts'
import type { SiteConfig } from '../../site/settings/config.ts'
import { externalServices, outsideServices } from './outside-services.ts'

function servicesOf(
  integrations: SiteConfig['integrations'],
  deployment: Deployment = 'cloud',
  analytics?: boolean,
) {
  const site = { config: { integrations } } as Site
  const features = resolveFeatures(deployment, analytics === undefined ? {} : { analytics })
  return outsideServices({ site, features, deployment })
}

const sources = (found: ReturnType<typeof servicesOf>) => found.services.map(({ src }) => src)

test('loads a configured service with its id escaped', () => {
  const found = servicesOf({
    ga4: { measurementId: 'G-1"&x=2' },
    plausible: { domain: 'a.b', server: 'evil/x?' },
  })
  assert.deepEqual(sources(found), [
    'https://www.googletagmanager.com/gtag/js?id=G-1%22%26x%3D2',
    'https://plausible.io/js/script.js',
  ])
  assert.deepEqual(found.services[1]?.attributes, { 'data-domain': 'a.b' })
})

test('loads no services without web analytics, if air-gapped or with telemetry disabled', () => {
  const integrations = { fathom: { siteId: 'X' } }
  assert.equal(servicesOf(integrations).services.length, 1)
  assert.equal(servicesOf(integrations, 'client-hosted').services.length, 0)
  assert.equal(servicesOf(integrations, 'client-hosted', true).services.length, 1)
  assert.equal(servicesOf(integrations, 'air-gapped', true).services.length, 0)
  assert.equal(servicesOf({ ...integrations, telemetry: { enabled: false } }).services.length, 0)
})

test('accepts only https script URLs and returns the consent setting', () => {
  assert.deepEqual(
    sources(servicesOf({ adobe: { launchUrl: 'javascript:x()' }, osano: { scriptSource: 'http://x.y' } })),
    [],
  )
  const found = servicesOf({ adobe: { launchUrl: 'https://x.y/l.js' }, cookies: { key: 'ok', value: 'yes' } })
  assert.deepEqual([sources(found), found.consent], [['https://x.y/l.js'], { key: 'ok', value: 'yes' }])
})

test('lists services without a built-in script', () => {
  const config = { integrations: { posthog: {}, ga4: {}, cookies: {} } } as unknown as SiteConfig
  assert.deepEqual(externalServices(config), ['posthog'])
})
