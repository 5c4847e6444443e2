/**
 * All settings of docs.json, each with its type, default and description in one place. Used for parsing, served to
 * editors, and the source of the settings reference.
 */

import { getField, isFields, type JsonNode } from '../json.ts'
import { reportSetting } from '../read-json.ts'
import { banner, colorPair, contextual, footer, ICON_LIBRARIES, icon, navbar } from './chrome-schema.ts'
import { background, colors, favicon, fonts, logo, styling, thumbnails } from './look-schema.ts'
import { NAVIGATION_DEFINITIONS, NAVIGATION_SCHEMA, specs } from './navigation-schema.ts'
import {
  amount,
  choice,
  fields,
  fileReference,
  flag,
  list,
  mapped,
  mappedWithDefault,
  oneOf,
  type SettingContext,
  type SettingSchema,
  shared,
  table,
  text,
  texts,
  type ValueOf,
} from './schema-parts.ts'

// `api` in docs.json: the look of API pages.

/** Languages of generated samples if the site does not configure any. */
const STANDARD_LANGUAGES = ['bash', 'python', 'javascript', 'php', 'go', 'java', 'ruby', 'csharp']

/** `specs` creates the schema of references to descriptions. */
const apiSettings = (specs: () => SettingSchema) =>
  mappedWithDefault(
    fields('Pages of interfaces.', {
      openapi: shared('specs', specs),
      asyncapi: shared('specs', specs),
      url: choice('Always shows the whole address of the server.', ['full']),
      playground: fields('Trying requests.', {
        display: choice(
          'What there is to try with: a form with `interactive`, none with the others.',
          ['interactive', 'simple', 'none', 'auth'],
          'interactive',
        ),
        proxy: flag(
          "False: calls are made by the reader's browser alone, never through the platform where the API lets no page make them.",
          true,
        ),
        credentials: flag('Requests take the cookies along that the browser has of the server.', false),
      }),
      params: fields('Fields.', {
        expanded: choice('Nested fields when a page opens.', ['all', 'closed'], 'closed'),
        post: texts('Keys of schemas that stand behind the name of a field.', 'A key.'),
      }),
      examples: fields('Samples of code.', {
        languages: texts('Languages in order.', 'A language.'),
        defaults: choice('Parameters in samples.', ['required', 'all'], 'all'),
        prefill: flag('Fills the form with the examples of the description.', false),
        autogenerate: flag('Makes samples where the description has none.', true),
      }),
      mdx: fields('Pages written by hand.', {
        server: texts('Servers.', 'Address.'),
        auth: fields('How requests prove who they are.', {
          method: choice('Method.', ['bearer', 'basic', 'key', 'none', 'cobo']),
          name: text('Name of the header of a key.'),
        }),
      }),
    }),
    ({ url, playground, params, examples, mdx }) => ({
      playground: playground.display,
      /** Calls that CORS blocks may be proxied by the platform; `credentials`: direct calls send cookies. */
      proxy: playground.proxy,
      credentials: playground.credentials,
      /** Nested fields are open initially. */
      isExpanded: params.expanded === 'all',
      /** Schema keys whose values are shown after the name of a field. */
      pills: params.post,
      /** Always shows the server's URL before the path. */
      hasFullUrl: url === 'full',
      examples: {
        /** As written: names or aliases, in the order in which samples are shown. */
        languages: examples.languages.length > 0 ? examples.languages : STANDARD_LANGUAGES,
        isRequiredOnly: examples.defaults === 'required',
        isPrefilled: examples.prefill,
        isGenerated: examples.autogenerate,
      },
      /** Servers of pages that only specify a path. */
      baseUrls: mdx.server,
      authMethod: mdx.auth.method,
      authName: mdx.auth.name,
    }),
  )

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

/** Services by name, with settings as written; the code of each script validates them. */
const INTEGRATIONS_SCHEMA = mapped(
  fields(
    'Services of measurement, chat and consent.',
    Object.fromEntries(Object.entries(services).map(([name, own]) => [name, fields('Settings.', own)])),
  ),
  (_, { node }): Readonly<Record<string, Service>> =>
    Object.fromEntries(
      listEntries(node)
        .filter(([, { value }]) => isFields(value))
        .map(([name, one]) => [name, readService(one)]),
    ),
  () => ({}),
)

const plainText = mapped(
  { anyOf: [{ type: 'string' }, { type: 'boolean' }] } as SettingSchema<unknown>,
  String,
)

/** Settings for search engines and agents, and texts shared by pages. */
const metatags = table(
  'Name of a tag to its content. `canonical` is the address that all canonical addresses begin with; `robots: noindex` keeps the whole site out of every index.',
  plainText,
)

const tags = shared('metatags', () => metatags)

/** Tags of folders, deepest folder first; paths start with a slash and have no trailing one. */
const taggedPaths = mappedWithDefault(
  list(
    'Tags of folders; the deeper folder wins, and the page over all.',
    mapped(fields('One folder.', { path: text('The folder.'), metatags: tags }), ({ path, metatags }) => {
      if (path === null) return null
      const parts = path.split('/').filter((part) => part !== '' && part !== '*' && part !== '**')
      return { path: parts.map((part) => `/${part}`).join(''), metatags }
    }),
  ),
  (paths) => paths.toSorted((a, b) => b.path.length - a.path.length),
)

const seo = fields('Search engines.', {
  indexing: choice(
    'Which pages they get: those of the navigation, or hidden ones too.',
    ['navigable', 'all'],
    'navigable',
  ),
  metatags: tags,
  paths: taggedPaths,
  organization: fields('Who publishes the site.', {
    id: text('Its address as an identifier.'),
    name: text('Name; that of the site when it is left out.'),
    legalName: text('Name before the law.'),
    url: text('Address.'),
    logo: text('Path or address of its logo.'),
    sameAs: list('Its other addresses.', text('Address.')),
  }),
  trailingSlash: flag('Addresses told to the outside end with a slash.', false),
})

const markdown = mappedWithDefault(
  fields('What agents read.', {
    schema: flag('Pages of an operation name their API description.', true),
    instructions: texts('A request to agents, on every page they read.', 'A line.'),
  }),
  ({ schema, instructions }) => ({ schema, instructions: instructions.join('\n') || null }),
)

const variables = mapped(
  table('Texts that pages show where the name stands in two pairs of braces.', plainText),
  withoutOddNames,
  () => ({}),
)

const THEMES = ['mint', 'maple', 'palm', 'willow', 'linden', 'almond', 'aspen', 'sequoia', 'luma'] as const

export const icons = fields('Icons.', {
  library: choice('Set that names of icons are looked for in.', ICON_LIBRARIES, 'fontawesome'),
})

const settings = {
  $schema: text('Address of this schema, for editors.'),
  theme: choice('The look of the site.', THEMES, 'mint'),
  name: text('Name of the site.', { default: 'Documentation' }),
  description: text('What the site is about, for search engines and agents.'),
  colors,
  logo,
  favicon,
  appearance: fields('Light and dark.', {
    default: choice('What readers see first.', ['system', 'light', 'dark'], 'system'),
    strict: flag('Readers cannot switch.', false),
  }),
  fonts,
  icons,
  background,
  styling,
  thumbnails,
  navbar: shared('navbar', () => navbar),
  navigation: NAVIGATION_SCHEMA,
  footer: shared('footer', () => footer),
  banner: shared('banner', () => banner),
  interaction: fields('How the navigation behaves.', {
    drilldown: flag('Opening a group in a group leads to its first page; else it only opens.'),
  }),
  contextual,
  feedback: fields('What pages ask readers; the settings of the project come first.', {
    enabled: flag('Switches off all that is not switched on by name.'),
    thumbsRating: flag('Was this page helpful?'),
    codeSnippet: flag('A button on blocks of code.'),
    suggestEdit: flag('A link to the file in its repository.'),
    raiseIssue: flag('A link to a new issue of the repository.'),
  }),
  redirects: list(
    'Old addresses.',
    fields('One move.', {
      source: text('Path; with `*` or `:name*` as its last part it stands for all below.'),
      destination: text('Path or address; the same `*` or `:name*` puts the captured rest in.'),
      permanent: flag('308 when true, 307 when false.', true),
    }),
  ),
  errors: fields('What readers see where nothing is.', {
    '404': fields('An address without a page.', {
      redirect: flag(
        'Leads on to the start page. Octavo shows the page for missing ones unless this is true.',
        false,
      ),
      title: text('Heading.'),
      description: text('Inline Markdown below the heading.'),
    }),
  }),
  variables,
  metadata: fields('Facts about pages.', {
    timestamp: flag(
      'Shows when pages were changed: `lastUpdatedDate` of their frontmatter, else the last commit that changed their file.',
      false,
    ),
  }),
  search: fields('Search.', { prompt: text('Text in the empty field.') }),
  seo,
  markdown,
  api: apiSettings(() => specs),
  integrations: INTEGRATIONS_SCHEMA,
  public: flag('Kept for sites with readers who sign in.'),
}

export type Settings = { [Key in keyof typeof settings]: ValueOf<(typeof settings)[Key]> }

const definitions: Record<string, SettingSchema> = {
  fileReference,
  icon,
  colorPair,
  banner,
  navbar,
  footer,
  metatags,
  ...NAVIGATION_DEFINITIONS,
  specs,
}

export const SETTINGS_SCHEMA: SettingSchema<Settings> & {
  $schema: string
  properties: Readonly<Record<string, SettingSchema>>
  definitions: Readonly<Record<string, SettingSchema>>
} = {
  ...fields('Settings of a documentation site.', settings),
  $schema: 'http://json-schema.org/draft-07/schema#',
  title: 'docs.json',
  properties: settings,
  required: ['theme', 'name', 'colors', 'navigation'],
  definitions,
}

function withoutOddNames(
  value: Readonly<Record<string, string>>,
  { problems, node }: SettingContext,
): Readonly<Record<string, string>> {
  const isOdd = (name: string) => !/^[\p{L}\p{N}_-]+$/u.test(name)
  for (const name of Object.keys(value).filter(isOdd)) {
    const message = `The variable name ${JSON.stringify(name)} has other characters than letters, digits and hyphens.`
    const namedNode = getField(node, name) ?? node
    reportSetting(problems, namedNode, 'config.value', 'warning', message, 'Rename the variable.')
  }
  return Object.fromEntries(Object.entries(value).filter(([name]) => !isOdd(name)))
}

// Schema of `integrations`: an object of settings for each service.
type Service = Readonly<Record<string, string | number | boolean>>

function readService(node: JsonNode): Service {
  const plain = listEntries(node).map(([key, { value }]) => [key, value] as const)
  const isPlain = (value: unknown) => ['string', 'number', 'boolean'].includes(typeof value)
  return Object.fromEntries(plain.filter(([, value]) => isPlain(value))) as Service
}

function listEntries({ value }: JsonNode): [string, JsonNode][] {
  return isFields(value) ? [...value].filter(([key]) => key !== '__proto__') : []
}
