/** The schema of `integrations`: one object of settings for each service. */
import { isFields, type JsonNode } from '../json.ts'
import { amount, choice, fields, flag, made, oneOf, type SettingSchema, text } from './schema-parts.ts'

const id = (description: string) => oneOf(description, text(description), amount(description))

const services: Record<string, Record<string, SettingSchema>> = {
  adobe: { launchUrl: text('Address of the Launch script.') },
  amplitude: { apiKey: text('API key.') },
  clarity: { projectId: text('Project id.') },
  clearbit: { publicApiKey: text('Public API key.') },
  fathom: { siteId: text('Site id.') },
  frontchat: { snippetId: text('Snippet id.') },
  ga4: { measurementId: text('Measurement id: G-…') },
  gtm: { tagId: text('Container id: GTM-…') },
  heap: { appId: id('App id.') },
  hightouch: { writeKey: text('Write key.'), apiHost: text('Host of the API.') },
  hotjar: { hjid: id('Site id.'), hjsv: id('Version of the snippet.') },
  intercom: { appId: text('App id.') },
  koala: { publicApiKey: text('Public API key.') },
  logrocket: { appId: text('App id.') },
  mixpanel: { projectToken: text('Project token.'), region: choice('Region.', ['us', 'eu', 'in']) },
  onetrust: {
    domainScript: text('Domain script.'),
    categoryId: text('Category that means consent.'),
    scriptSource: text('Address of the script.'),
  },
  osano: { scriptSource: text('Address of the script.') },
  pirsch: { id: text('Identification code.') },
  plausible: { domain: text('Domain of the site.'), server: text('Host of your own server.') },
  posthog: {
    apiKey: text('Project key: phc_…'),
    apiHost: text('Host of the API.'),
    sessionRecording: flag('Records sessions.'),
  },
  segment: { key: text('Write key.'), cdnUrl: text('Address of the script.') },
  telemetry: { enabled: flag('False switches off everything that gathers, feedback too.', true) },
  transcend: { bundleId: text('Bundle id.'), analyticsPurpose: text('Purpose that means consent.') },
  cookies: { key: text('Key in the storage of the browser.'), value: text('Value that means consent.') },
}

type Service = Readonly<Record<string, string | number | boolean>>

/** Services by name, as they are written: what one needs is known where its script is. */
export const INTEGRATIONS_SCHEMA = made(
  fields(
    'Services of measurement, chat and consent.',
    Object.fromEntries(Object.entries(services).map(([name, own]) => [name, fields('Settings.', own)])),
  ),
  (_, { node }): Readonly<Record<string, Service>> =>
    Object.fromEntries(
      entriesOf(node)
        .filter(([, { value }]) => isFields(value))
        .map(([name, one]) => [name, serviceOf(one)]),
    ),
  () => ({}),
)

function serviceOf(node: JsonNode): Service {
  const plain = entriesOf(node).map(([key, { value }]) => [key, value] as const)
  const isPlain = (value: unknown) => ['string', 'number', 'boolean'].includes(typeof value)
  return Object.fromEntries(plain.filter(([, value]) => isPlain(value))) as Service
}

function entriesOf({ value }: JsonNode): [string, JsonNode][] {
  return isFields(value) ? [...value].filter(([key]) => key !== '__proto__') : []
}
