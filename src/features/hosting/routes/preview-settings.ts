/** Routes for operators to read, set and test the preview domain. */

import { AppError, assertNoFaults } from '../../../base/errors/errors.ts'
import { type Fault, faultAt } from '../../../base/errors/fault.ts'
import { parseHostname } from '../../../base/hostname.ts'
import type { Queries } from '../../../database/database.ts'
import type { Handlers } from '../../../routing/handler.ts'
import { createConcurrencyLimit } from '../../accounts/settings/concurrency-limit.ts'
import { readInstanceSettings, writeInstanceSettings } from '../../accounts/settings/instance-settings.ts'
import { findLastChange } from '../../accounts/settings/model-settings.ts'
import { chosenPreviewDomain, PREVIEW_DOMAIN } from '../../accounts/settings/server-choices.ts'
import { findRelatedDomains, isRelatedDomain, publicHost } from '../../projects/domains/reserved-names.ts'
import type { INSTANCE_PREVIEW_OPERATIONS, InstancePreviews } from '../operations/preview-settings.ts'
import { countOpenPreviews, scheduleMovedReports } from '../previews/moved-previews.ts'
import { testPreviewDomain } from '../previews/test-preview-domain.ts'

interface InstancePreviewDeps {
  publicUrl: () => string
  previewSource: {
    /** Value of the environment variable. */
    given: string | null
    /** Returns the default if no value is set. */
    usual(): string | null
    dnsServers: readonly string[]
  }
}

/** Limits tests per process, because each holds a database connection while waiting for DNS and HTTP. */
const MAX_CONCURRENT_TESTS = 2
const MAX_NAMED_DOMAINS = 3

export function instancePreviewHandlers(
  deps: InstancePreviewDeps,
): Handlers<typeof INSTANCE_PREVIEW_OPERATIONS> {
  const throughGate = createConcurrencyLimit(MAX_CONCURRENT_TESTS)
  return {
    getInstancePreviews: async ({ db }) => ({ body: await previewsView(deps, db) }),
    async updateInstancePreviews({ tx, caller: { id: actor }, body }) {
      const domain = await domainOf(deps, tx, body.domain)
      const { domain: before } = await previewsView(deps, tx)
      await writeInstanceSettings(tx, actor, { [PREVIEW_DOMAIN]: domain })
      const after = await previewsView(deps, tx)
      if (after.domain !== before) await scheduleMovedReports(tx)
      return { body: after, audit: { subject: 'previews', details: { from: before, to: after.domain } } }
    },
    async testInstancePreviews({ tx, body }) {
      const domain = await domainOf(deps, tx, body.domain)
      if (domain === null) {
        assertNoFaults([faultAt('/domain', 'no_domain_to_test')])
        throw new AppError('invalid_request')
      }
      const { dnsServers } = deps.previewSource
      const tried = { domain, dnsServers, publicUrl: deps.publicUrl() }
      const trial = await throughGate(() => testPreviewDomain(tried))
      const details = { domain, isUsable: trial.faults.length === 0 }
      return { body: trial, audit: { subject: 'previews', details } }
    },
  }
}

async function domainOf(
  { previewSource, publicUrl }: InstancePreviewDeps,
  db: Queries,
  given: string | null,
): Promise<string | null> {
  if (previewSource.given !== null) throw new AppError('set_by_environment')
  if (given === null) return null
  const parsed = parseHostname(given.trim().replace(/^\*\./, ''))
  const domain = 'hostname' in parsed ? parsed.hostname : ''
  if (!domain.includes('.')) throw invalidDomainError([faultAt('/domain', 'preview_domain')])
  if (isRelatedDomain(domain, publicHost(publicUrl())))
    throw invalidDomainError([faultAt('/domain', 'dashboard_domain')])
  const conflicting = await findRelatedDomains(db, domain, { limit: MAX_NAMED_DOMAINS })
  if (conflicting.length > 0)
    throw invalidDomainError([faultAt('/domain', 'domain_of_sites', { domains: conflicting })])
  return domain
}

function invalidDomainError(details: Fault[]): AppError {
  return new AppError('invalid_request', { details })
}

async function previewsView(
  { previewSource: { given, usual } }: InstancePreviewDeps,
  db: Queries,
): Promise<InstancePreviews> {
  const settings = await readInstanceSettings(db)
  const chosen = chosenPreviewDomain(settings)
  return {
    source: given !== null ? 'environment' : chosen !== null ? 'dashboard' : 'none',
    variables: given === null ? [] : ['OCTAVO_PREVIEW_DOMAIN'],
    domain: given ?? chosen ?? usual(),
    usual: usual(),
    open: await countOpenPreviews(db),
    ...(given === null
      ? await findLastChange(db, settings, [PREVIEW_DOMAIN])
      : { changedBy: null, changedAt: null }),
  }
}
