/**
 * Scripts of third-party services in `integrations` of docs.json. Only loaded if web analytics are enabled, and
 * therefore never in air-gapped bundles.
 */
import type { OutsideService, OutsideServices } from '../../base/api/outside-services.ts'
import type { SiteConfig } from '../../site/settings/config.ts'
import { type BuiltInFile, hashed } from '../machinery/built-ins.ts'
import type { RenderInput } from '../page/render-input.ts'

type Settings = SiteConfig['integrations'][string]

/** Each function returns null if the settings do not require a script. */
const SERVICES: Record<string, (settings: Settings) => Partial<OutsideService> | null> = {
  adobe: (settings) => at(httpsUrl(settings.launchUrl)),
  clarity: ({ projectId }) =>
    createServiceWithId(projectId, (id) => ({ src: `https://www.clarity.ms/tag/${id}`, queue: 'clarity' })),
  fathom: ({ siteId }) =>
    createServiceWithId(siteId, () => ({
      src: 'https://cdn.usefathom.com/script.js',
      attributes: { 'data-site': String(siteId) },
    })),
  ga4: ({ measurementId }) =>
    createServiceWithId(measurementId, (id) => ({
      src: `https://www.googletagmanager.com/gtag/js?id=${id}`,
      tag: String(measurementId),
    })),
  gtm: ({ tagId }) =>
    createServiceWithId(tagId, (id) => ({
      src: `https://www.googletagmanager.com/gtm.js?id=${id}`,
      globals: { dataLayer: [{ event: 'gtm.js' }] },
    })),
  hotjar: ({ hjid, hjsv }) =>
    createServiceWithId(hjid, (id) => ({
      src: `https://static.hotjar.com/c/hotjar-${id}.js?sv=${encodeURIComponent(String(hjsv ?? 6))}`,
      globals: { _hjSettings: { hjid: Number(hjid), hjsv: Number(hjsv ?? 6) } },
      queue: 'hj',
    })),
  intercom: ({ appId }) =>
    createServiceWithId(appId, (id) => ({
      src: `https://widget.intercom.io/widget/${id}`,
      globals: { intercomSettings: { app_id: String(appId) } },
      queue: 'Intercom',
    })),
  osano: (settings) => at(httpsUrl(settings.scriptSource)),
  pirsch: ({ id }) =>
    createServiceWithId(id, () => ({
      src: 'https://api.pirsch.io/pa.js',
      attributes: { id: 'pianjs', 'data-code': String(id) },
    })),
  plausible: ({ domain, server }) => {
    const host = typeof server === 'string' && /^[\w.:-]+$/.test(server) ? server : 'plausible.io'
    return createServiceWithId(domain, () => ({
      src: `https://${host}/js/script.js`,
      attributes: { 'data-domain': String(domain) },
      queue: 'plausible',
    }))
  },
}

function createServiceWithId(
  value: Settings[string] | undefined,
  make: (id: string) => Partial<OutsideService>,
): Partial<OutsideService> | null {
  const text = value === undefined ? '' : String(value).trim()
  return text === '' ? null : make(encodeURIComponent(text))
}

function httpsUrl(value: Settings[string] | undefined): string | null {
  const url = typeof value === 'string' ? URL.parse(value) : null
  return url?.protocol === 'https:' ? url.href : null
}

function at(src: string | null): Partial<OutsideService> | null {
  return src === null ? null : { src }
}

export function servicesFile(input: RenderInput, script: string): BuiltInFile<string> | null {
  const found = outsideServices(input)
  if (found.services.length === 0) return null
  return hashed('services', 'js', `globalThis.__octavoServices=${JSON.stringify(found)};${script}\n`)
}

export function outsideServices({
  site,
  features,
  deployment,
}: Pick<RenderInput, 'site' | 'features' | 'deployment'>): OutsideServices {
  const { integrations } = site.config
  const { key, value } = integrations.cookies ?? {}
  const consent = typeof key === 'string' ? { key, value: String(value ?? '') } : null
  const isAllowed =
    features.analytics && deployment !== 'air-gapped' && integrations.telemetry?.enabled !== false
  const services = Object.entries(isAllowed ? SERVICES : {}).flatMap(([name, make]) => {
    const settings = Object.hasOwn(integrations, name) ? integrations[name] : undefined
    const service = settings && make(settings)
    if (!service?.src) return []
    return [{ src: service.src, attributes: {}, globals: {}, queue: null, tag: null, ...service }]
  })
  return { consent, services }
}

/** Returns names in `integrations` that are accepted but have no script. */
export function externalServices(config: SiteConfig): string[] {
  const silent = ['telemetry', 'cookies', ...Object.keys(SERVICES)]
  return Object.keys(config.integrations).filter((name) => !silent.includes(name))
}
